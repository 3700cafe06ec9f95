"""A judgment made elsewhere, as every format gives it."""

from dataclasses import dataclass
from datetime import datetime

CANNOT_JUDGE = -999_999_999  # where a map of grades says `cannot`: on no scale, so that it never counts as a grade


@dataclass(frozen=True, slots=True)
class OutsideJudgment:
    """One person's grade for a pair, from line `line`.

    Several of one person for one pair are revisions: the last counts. A grade may lie outside the scale, which means
    that the person could not judge. `at` has a time zone; None where the file does not say when. `evidence`: a stretch
    of the document's text, as `(start, end)` in code points. `is_machine`: the file says that a machine judged.
    """

    number: str
    docno: str
    annotator: str
    grade: int
    at: datetime | None
    comment: str
    line: int
    evidence: tuple[int, int] | None = None
    is_machine: bool = False
