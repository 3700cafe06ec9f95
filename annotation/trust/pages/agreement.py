"""How far people agree, as a page shows it: each coefficient with its interval, or why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from annotation.kernel.tables import Column, Kind
from annotation.quality.agreement import (
    Agreement,
    BootstrapInterval,
    GradeCounts,
    bootstrap_intervals,
    exact_agreement,
    krippendorff_alpha,
    pairwise_agreement,
)
from annotation.quality.agreement.alpha import RELIED_ON, TENTATIVE
from annotation.quality.agreement.bootstrap import By
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes
from annotation.trust.pages.coefficients import ALPHA, FIRST, FURTHER, Coefficient, Compared

SEED = 1  # the same page twice shows the same intervals
LITTLE = 0.2  # J. R. Landis and G. G. Koch, Biometrics 33 (1977): up to here "slight"
Intervals: TypeAlias = dict[By, dict[str, BootstrapInterval]]
DOMINANT = 0.8  # a grade that so large a share of the judgments has leaves chance little to explain


@dataclass(frozen=True)
class CoefficientRow:
    """A coefficient of this campaign; `meaning` says what it says. Intervals are None where it has none."""

    name: str
    meaning: str
    agreement: Agreement
    over_items: BootstrapInterval | None
    over_topics: BootstrapInterval | None
    is_share: bool  # said in percent


# Low and high, over documents and over topics: ends of bootstrap intervals.
COEFFICIENTS: tuple[Column[CoefficientRow], ...] = (
    Column("coefficient", lambda row: row.name),
    Column("value", lambda row: row.agreement.value, Kind.NUMBER),
    Column("low_over_documents", lambda row: row.over_items.low if row.over_items else None, Kind.NUMBER),
    Column("high_over_documents", lambda row: row.over_items.high if row.over_items else None, Kind.NUMBER),
    Column("low_over_topics", lambda row: row.over_topics.low if row.over_topics else None, Kind.NUMBER),
    Column("high_over_topics", lambda row: row.over_topics.high if row.over_topics else None, Kind.NUMBER),
    Column("pairs", lambda row: row.agreement.n_items, Kind.WHOLE),
    Column("judgments", lambda row: row.agreement.n_judgments, Kind.WHOLE),
    Column("reason", lambda row: row.agreement.reason),
)


@dataclass(frozen=True, eq=False)
class AgreementReport:
    """Agreement on ordinary pairs. What takes time is computed when it is asked for, and once."""

    counts: GradeCounts
    votes: Votes
    scale: Scale

    @cached_property
    def exact(self) -> Agreement:
        return exact_agreement(self.counts)

    @cached_property
    def pairwise(self) -> Agreement:
        return pairwise_agreement(self.counts)

    @cached_property
    def alpha(self) -> Agreement:
        return krippendorff_alpha(self.counts)

    @property
    def n_pairs(self) -> int:
        """Pairs with two judgments or more."""
        return self.alpha.n_items

    @cached_property
    def first(self) -> list[CoefficientRow]:
        """The coefficients that answer most questions."""
        return self._rows(FIRST, self._intervals)

    @cached_property
    def further(self) -> list[CoefficientRow]:
        return self._rows(FURTHER, self._intervals)

    @cached_property
    def alpha_row(self) -> CoefficientRow:
        """As among the first; worked out by itself, for pages that show no other interval."""
        (row,) = self._rows([ALPHA], self._resampled([ALPHA]))
        return row

    @cached_property
    def conclusions(self) -> list[str]:
        """What a careful reader would conclude, a sentence each."""
        if self.alpha.value is None:
            apart = "" if len(self.votes.pair) else " Planted gold, attention checks and repeats are left out."
            return [f"Krippendorff’s α is undefined. {self.alpha.reason}{apart}"]
        return [_strength(self.alpha.value, self.alpha_row), *self._dominated()]

    def _dominated(self) -> list[str]:
        times = self.counts.counts[self.counts.shared].sum(axis=0)
        share = times.max() / times.sum()
        if share < DOMINANT:
            return []
        grade = self.scale.grades[int(times.argmax())]
        sentence = (
            f"{100 * share:.0f} % of the judgments compared are of grade {grade}: then α and κ are low even where "
            "people agree, because chance alone agrees so often. Read pairwise agreement and Gwet’s AC1 beside them."
        )
        return [sentence]

    @cached_property
    def _compared(self) -> Compared:
        return Compared(self.counts, self.votes, self.scale)

    @cached_property
    def _intervals(self) -> Intervals:
        return self._resampled((*FIRST, *FURTHER))

    def _resampled(self, coefficients: Sequence[Coefficient]) -> Intervals:
        """From the same draws whichever they are."""
        values = {each.name: each.values for each in coefficients if each.values}
        ways: tuple[By, ...] = ("items", "topics")
        return {by: bootstrap_intervals(self.counts, values, by=by, rng=SEED) for by in ways}

    def _rows(self, coefficients: Sequence[Coefficient], intervals: Intervals) -> list[CoefficientRow]:
        items, topics = intervals["items"], intervals["topics"]
        return [
            CoefficientRow(
                *(each.name, each.meaning, each.of(self._compared)),
                *(items.get(each.name), topics.get(each.name), each.is_share),
            )
            for each in coefficients
        ]


def _strength(alpha: float, row: CoefficientRow) -> str:
    interval = next((each for each in (row.over_topics, row.over_items) if each and each.defined), None)
    if interval is None or interval.low is None or interval.high is None:
        return f"α is {_written(alpha)}: {_in_words(alpha)}"
    low, high = _written(interval.low), _written(interval.high)
    what = "topics" if interval.by == "topics" else "documents"
    values = f"α is {_written(alpha)}, and with other {what} would likely lie between {low} and {high}"
    if interval.high < 0:
        return f"{values}: worse than chance, as if some read the scale the other way round."
    if interval.low <= 0:
        return f"{values}: agreement cannot be told from chance."
    return f"{values}: {_in_words(alpha)}"


def _written(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _in_words(alpha: float) -> str:
    if alpha >= RELIED_ON:
        return f"people can stand in for each other (Krippendorff asks for {RELIED_ON})."
    if alpha >= TENTATIVE:
        return f"good enough for tentative conclusions ({TENTATIVE}), short of {RELIED_ON}."
    if alpha < LITTLE:
        return (
            "little more than chance. Either many people do not look, which accuracy on gold below tells, or they read "
            "the guideline differently; one person’s grade says next to nothing."
        )
    return (
        f"below {TENTATIVE}, which Krippendorff asks for before one person’s grades are relied on. Relevance often "
        "comes out there; several judgments a pair, and knowing whom to believe, make up for it."
    )
