"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict

JudgmentsAnewEnum = Literal["annotators", "posterior"]


class SensitivityAsked(TypedDict):
    job_url: str  # The job that studies.
    studies_url: str  # Where the study is once it is done.


class SensitivityEntriesRequest(TypedDict):
    beside: NotRequired[list[str]]  # Names of snapshots that judge the same pairs.
    groups: NotRequired[str]  # Runs left out of the pool together, a group a line: bert=*bert*, mono_1
    judgments_anew: NotRequired[JudgmentsAnewEnum]
    measure: NotRequired[str]  # The mean of one measure of quality.
    pool_depth: NotRequired[int]  # How deep each run brought documents to it.
    runs: NotRequired[list[str]]  # Tags; all runs if left out.
    seed: NotRequired[int]  # Of all that is drawn.
    snapshot: str  # The name of a snapshot.


class StudyLine(TypedDict):
    id: int
    made_at: str
    measure: str
    snapshot: str
    url: str


class WholeStudy(TypedDict):
    id: int
    made_at: str
    measure: str
    snapshot: str
    studied: dict[str, Any]  # As `manage.py sensitivity --json` has it.
    url: str


class SensitivitySharesQuery(TypedDict):
    first: str  # The tag of a run.
    measure: NotRequired[str]  # The mean of one measure of quality.
    second: str  # The tag of another.
    seed: NotRequired[int]  # Of all that is drawn.
    snapshot: str  # The name of a snapshot.
