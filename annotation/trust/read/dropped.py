"""The pairs that a policy drops, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from annotation.formats.snapshot_jsonl import DroppedPair
from annotation.quality.filtering import Reason
from annotation.quality.outcome import Outcome

REASONS = {
    Reason.TOO_FEW: "too few reliable judgments",
    Reason.TOO_FAR_APART: "grades too far apart",
    Reason.GOLD_OMITTED: "gold left out",
    Reason.TIED: "several grades equally frequent",
    Reason.NO_MAJORITY: "no grade with more than half",
    Reason.NO_WEIGHT: "judged by nobody better than chance",
}
OF_SOME_RULES = {Reason.TIED, Reason.NO_MAJORITY, Reason.NO_WEIGHT}


@dataclass(frozen=True)
class ReasonCount:
    """How many pairs drop for a reason; `key` is its name in addresses."""

    key: str
    words: str
    n: int


def dropped_by_reason(outcome: Outcome) -> list[ReasonCount]:
    """How many pairs drop for each reason; what only some rules do is listed where it happened.

    Attention checks are no pairs of the qrels and not listed.
    """
    counts = np.bincount(outcome.reason, minlength=len(Reason))
    listed = [reason for reason in REASONS if counts[reason] or reason not in OF_SOME_RULES]
    return [ReasonCount(reason.name.lower(), REASONS[reason], int(counts[reason])) for reason in listed]


class DroppedPairs(Sequence[DroppedPair]):
    """In the order of the outcome; with `reason`, those that drop for it. Checks are not among them.

    Each is worked out when it is asked for: of thousands a page shows some.
    """

    def __init__(self, outcome: Outcome, reason: str = "") -> None:
        wanted = [each for each in REASONS if reason in ("", each.name.lower())]
        self.outcome = outcome
        self.row = np.flatnonzero(np.isin(outcome.reason, wanted) & ~outcome.kept)

    def __len__(self) -> int:
        return len(self.row)

    def __iter__(self) -> Iterator[DroppedPair]:
        return self.outcome.dropped_pairs(self.row)

    @overload
    def __getitem__(self, index: int) -> DroppedPair: ...

    @overload
    def __getitem__(self, index: slice) -> list[DroppedPair]: ...

    def __getitem__(self, index: int | slice) -> DroppedPair | list[DroppedPair]:
        if isinstance(index, slice):
            return list(self.outcome.dropped_pairs(self.row[index]))
        return next(self.outcome.dropped_pairs(self.row[[index]]))
