"""Dynamic overlap in words: what the last look at a batch found, and what a policy might ask for after a dry run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from annotation.batches.read.overlap import OverlapForecast, Steering, overlap_forecast
from annotation.batches.steps.layout import DryRun
from annotation.models import Batch
from annotation.quality.overlap import OverlapRule, Summary
from annotation.text.counted import counted, percent


@dataclass(frozen=True)
class SteeringWords:
    """What the page of a batch says of its steering."""

    rule: OverlapRule
    summary: Summary | None
    enough: int

    @classmethod
    def of(cls, steering: Steering) -> Self:
        return cls(steering.rule, steering.summary, steering.enough)

    @property
    def saved(self) -> str:
        if self.summary is None or self.summary.saved is None:
            return "no pair is done yet"
        return f"{percent(self.summary.saved)} of the {self.summary.n_at_maximum} that {self.rule.maximum} each take"

    @property
    def right(self) -> str:
        share = self.summary.gold.share if self.summary else None
        return "–" if share is None else percent(share)

    @property
    def gold(self) -> str:
        gold = self.summary.gold if self.summary else None
        if gold is None or not gold.n:
            return "no gold pair is done yet"
        low, high = gold.interval
        return f"{percent(low)} to {percent(high)}, of {counted(gold.n, 'gold pair')}"

    @property
    def verdict(self) -> str:
        """Whether the gold that is done agrees with the probabilities."""
        gold = self.summary.gold if self.summary else None
        if gold is None or not gold.n or gold.said is None:
            return self._nothing_done
        low, high = gold.interval
        counts = (
            f"Of the {counted(gold.n, 'gold pair that is', 'gold pairs that are')} done, "
            f"{gold.n_right} came out right. By the probabilities it should have been {gold.said * gold.n:.1f}: "
        )
        if low <= gold.said <= high:
            return f"{counts}within chance, so nothing speaks against them."
        worse = "fewer" if gold.said < low else "more"
        return f"{counts}{worse} than chance explains. Look at the gold first."

    @property
    def _nothing_done(self) -> str:
        unknown = "So nobody can say how right the grades are."
        if self.summary is None or self.summary.too_little_gold:
            return f"No gold pair is done yet. {unknown}"
        return (
            f"No gold pair is done yet: each is weighed by the gold of other topics alone, and {self.enough} pairs of "
            f"these must have their judgments first. {unknown}"
        )

    @property
    def unknown(self) -> str:
        """At which later numbers nothing can stop, and why; empty where it can everywhere."""
        later = self.summary.unknown_later if self.summary else []
        if not later:
            return ""
        numbers = _listed([path.n for path in later], "or")
        n_gold = _listed([path.n_learned for path in later], "and")
        return (
            f"With {numbers} judgments nothing counts as sure: {n_gold} gold pair{'' if n_gold == '1' else 's'} came "
            f"so far, and from fewer than {self.enough} nobody can tell what the policy’s probabilities are worth "
            f"there. Pairs in doubt go on to {self.rule.maximum}. More gold helps."
        )


def _listed(numbers: Sequence[int], word: str) -> str:
    """`2, 3 or 4`."""
    *first, last = map(str, numbers)
    return f"{', '.join(first)} {word} {last}" if first else last


def overlap_after(batch: Batch, result: DryRun) -> OverlapForecast | None:
    """What a policy might ask for on top of a dry run; None where the number of judgments is fixed."""
    return overlap_forecast(
        batch,
        n_pairs=result.n_ordinary,
        seconds=result.seconds,
        n_people=len(result.people),
        n_gold=result.n_gold,
        n_gold_ready=result.n_gold_ready,
    )
