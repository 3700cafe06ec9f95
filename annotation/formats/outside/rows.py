"""A judgment made elsewhere, as every format gives it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class OutsideJudgment:
    """One person's grade for a pair, from line `line`.

    Several of one person for one pair are revisions: the last counts. A grade may lie outside the scale, which means
    that the person could not judge. `at` has a time zone; None where the file does not say when. `evidence`: a stretch
    of the document's text, as `(start, end)` in code points. `is_machine`: the file says that a machine judged.
    `wall_ms` is how long the judgment took, `active_ms` how much of that somebody worked; None where nothing says so.
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
    wall_ms: int | None = None
    active_ms: int | None = None
