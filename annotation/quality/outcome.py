"""What a policy makes of judgments: a grade or a reason for every pair, and a standing for every annotator."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from annotation.formats.snapshot_jsonl import DroppedPair, FrozenPair
from annotation.quality.accuracy import Accuracy
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.filtering import Reason
from annotation.quality.policy import Policy
from annotation.quality.standing import STANDINGS, Standing
from annotation.quality.table import JudgmentTable
from annotation.quality.votes import Spread

_IN_WORDS = {
    Reason.GOLD_OMITTED: "gold pair, left out by the policy",
    Reason.CHECK: "attention check, never in qrels",
    Reason.TIED: "several grades are equally frequent",
    Reason.NO_MAJORITY: "no grade has more than half of the judgments",
    Reason.NO_WEIGHT: "nobody who judged it is better than chance on gold",
}


class Source(IntEnum):
    """Where the grade of a kept pair comes from."""

    JUDGED = 0
    EXPERT = 1
    ADJUDICATED = 2


_SOURCES = {source.value: source.name.lower() for source in Source}


@dataclass(frozen=True, eq=False)
class People:
    """(n_annotators,) each, in the order of the table's annotators."""

    accuracy: Accuracy
    standing: Ints  # a `Standing`
    excluded: Bools
    believed: Bools  # their judgments count as reliable under this policy
    n_counted: Ints  # judgments of theirs that step 1 lets through

    def standing_name(self, i: int) -> str:
        return STANDINGS[Standing(int(self.standing[i]))]

    def of(self, index: Ints) -> "People":
        """Those at these places, in this order."""
        return People(
            self.accuracy.of(index),
            self.standing[index],
            self.excluded[index],
            self.believed[index],
            self.n_counted[index],
        )


@dataclass(frozen=True, eq=False)
class Outcome:
    """Pairs sorted by topic number and docno as bytes, (n_pairs,) each. `grade`, `confidence` and `source` mean
    something only where `kept`."""

    topic: Ints
    document: Ints
    kept: Bools
    grade: Ints
    confidence: Floats  # 0..1; an expert's or adjudicator's word has 1
    source: Ints  # a `Source`
    reason: Ints  # a `Reason`
    gold: Bools  # the pair's grade is known
    n_judgments: Ints  # counted judgments, of whomever
    reliable: Spread  # of the judgments that are believed
    counted: Spread  # of all counted judgments
    people: People
    policy: Policy
    table: JudgmentTable

    @property
    def n_kept(self) -> int:
        return int(self.kept.sum())

    def frozen_pairs(self) -> Iterator[FrozenPair]:
        """The kept pairs by their external ids. `n_judgments`, min, median and max are those of `shown_spread`."""
        spread, criterion = self.shown_spread(), self.table.criterion
        numbers, docnos = self.table.numbers, self.table.docnos
        columns = (self.topic, self.document, self.grade, self.confidence, self.source)
        spreads = (spread.n, spread.minimum, spread.median, spread.maximum)
        rows = zip(*(column[self.kept].tolist() for column in (*columns, *spreads)), strict=True)
        for topic, document, grade, confidence, source, n, low, median, high in rows:
            lowest, middle, highest = (int(low), median, int(high)) if n else (None, None, None)
            yield FrozenPair(
                numbers[topic],
                docnos[document],
                criterion,
                grade,
                confidence,
                n,
                lowest,
                middle,
                highest,
                _SOURCES[source],
            )

    def dropped_pairs(self, among: Ints | None = None) -> Iterator[DroppedPair]:
        """The other pairs, with their reasons in words; `among`: places of such pairs, where not all are wanted."""
        spread, criterion = self.shown_spread(), self.table.criterion
        for i in (np.flatnonzero(~self.kept) if among is None else among).tolist():
            yield DroppedPair(
                self.table.numbers[self.topic[i]],
                self.table.docnos[self.document[i]],
                criterion,
                self.reason_in_words(i),
                int(spread.n[i]),
                *_three(spread, i),
            )

    def shown_spread(self) -> Spread:
        """The reliable judgments of each pair; where there are none, all counted ones."""
        none = self.reliable.n == 0
        return Spread(
            np.where(none, self.counted.n, self.reliable.n),
            np.where(none, self.counted.minimum, self.reliable.minimum),
            np.where(none, self.counted.median, self.reliable.median),
            np.where(none, self.counted.maximum, self.reliable.maximum),
        )

    def reason_in_words(self, i: int) -> str:
        """Why pair i is not kept, with its numbers; empty for a kept pair."""
        match Reason(int(self.reason[i])):
            case Reason.TOO_FEW:
                return _too_few(int(self.reliable.n[i]), int(self.n_judgments[i]), self.policy.min_judgments)
            case Reason.TOO_FAR_APART:
                low, high = int(self.reliable.minimum[i]), int(self.reliable.maximum[i])
                return f"grades from {low} to {high} are {high - low} apart, at most {self.policy.max_range} allowed"
            case other:
                return _IN_WORDS.get(other, "")


def _too_few(reliable: int, counted: int, wanted: int) -> str:
    if not counted:
        return f"no judgment counts, {wanted} reliable needed"
    return f"{reliable} of {counted} judgment{'s' if counted > 1 else ''} reliable, {wanted} needed"


def _three(spread: Spread, i: int) -> tuple[int | None, float | None, int | None]:
    if not spread.n[i]:
        return None, None, None
    return int(spread.minimum[i]), float(spread.median[i]), int(spread.maximum[i])
