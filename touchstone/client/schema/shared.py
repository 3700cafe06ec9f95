"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict

AveragingEnum = Literal["complete", "retrieved"]

BatchState = Literal["draft", "laid_out", "open", "paused", "closed", "importing"]

BlankEnum = Literal[""]

CorrectionEnum = Literal["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"]


class Grade(TypedDict):
    definition: str
    example: str
    grade: int
    name: str


class GradeEntriesRequest(TypedDict):
    definition: NotRequired[str]
    example: NotRequired[str]
    grade: NotRequired[int]  # Its place, from 0; may be left out.
    name: str


class NamedGrade(TypedDict):
    grade: int
    name: str


class Pool(TypedDict):
    created_at: str
    created_by: NotRequired[str | None]
    id: int
    n_batches: int  # Batches made from it; while there are any, it stays.
    n_pairs: int
    name: str
    origin: dict[str, Any]
    url: str


RolesEnum = Literal["admin", "researcher", "annotator"]
