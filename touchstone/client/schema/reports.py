"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import AveragingEnum, BlankEnum, CorrectionEnum


class AskedReport(TypedDict):
    job_url: str  # The job that makes the report.
    reports_url: str  # Where the report is listed once it is made.


class Report(TypedDict):
    id: int
    kind: str  # evaluation or comparison
    made_at: str
    measures: list[str]
    runs: list[str]
    sha256: str  # Of the zip.
    snapshot: str
    title: str
    url: str


ReportEntriesKindEnum = Literal["evaluation", "comparison"]

ReportEntriesTestEnum = Literal["randomization", "t", "bootstrap", "wilcoxon", "sign", "tukey"]


class ReportEntriesRequest(TypedDict):
    alpha: NotRequired[float | None]  # Of the test, alpha. Empty: 0.05.
    averaging: NotRequired[AveragingEnum]
    baseline: NotRequired[str]  # A tag: every other run is compared with it.
    confidence: NotRequired[float | None]  # Of intervals. Empty: 0.95.
    correction: NotRequired[CorrectionEnum]
    draws: NotRequired[int | None]  # Of the test. Empty: what it usually takes.
    kind: NotRequired[ReportEntriesKindEnum]
    measures: NotRequired[list[str]]  # Names.
    minimum: NotRequired[float | None]  # Of two runs: gives how many topics it needs.
    runs: list[str]  # Tags.
    seed: NotRequired[int | None]  # Of what is drawn. Empty: 0.
    snapshot: str  # The name of a snapshot.
    test: NotRequired[ReportEntriesTestEnum | BlankEnum]
    threshold: NotRequired[float | None]  # Topics that differ by no more count as equal.
    title: NotRequired[str]  # Empty: what it is of.


class ReportsQuery(TypedDict):
    job: NotRequired[str]  # The token of a job: the report that it made.
