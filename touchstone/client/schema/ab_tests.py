"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, NotRequired, TypedDict

from touchstone.client.schema.shared import CorrectionEnum


class AnalysisAsked(TypedDict):
    analyses_url: str  # Where the analysis is once it is done.
    job_url: str  # The job that analyses.


class AnalysisLine(TypedDict):
    asked: dict[str, Any]  # The question, with every option.
    id: int
    made_at: str
    url: str


class Experiment(TypedDict):
    created_at: str
    description: str
    filename: str
    form: str  # csv, tsv, jsonl or parquet.
    n: dict[str, int]  # Units by variant.
    n_units: int
    name: str
    numbers: list[str]  # Columns that can be measured.
    sha256: str  # Of the log.
    texts: list[str]  # All others.
    unit: str  # The column that names the unit; may be empty.
    url: str
    variant: str  # The column that names the variant.


class ExperimentQuestionRequest(TypedDict):
    alpha: NotRequired[float]  # Of tests and intervals.
    cluster: NotRequired[str]  # A column: what was assigned, where rows are parts of it.
    control: str  # The variant beside which the others are set.
    correction: NotRequired[CorrectionEnum]
    covariate: NotRequired[str]  # A column from before assignment (CUPED).
    events: NotRequired[int]  # Events a group.
    every: NotRequired[str]  # hour, day (of dates, if empty), week, a number
    guardrail: NotRequired[str]  # The change that is too much: bought=-1%, seconds=0.2.
    measures: NotRequired[list[str]]  # Columns: means over units.
    narrowest_at: NotRequired[int]  # Units of both: where always-valid intervals are.
    ratio: NotRequired[str]  # Of two sums: clicks/views.
    replicates: NotRequired[int]
    seed: NotRequired[int]  # Of the draws.
    segments: NotRequired[list[str]]  # Columns.
    share: NotRequired[str]  # Empty: equal. A=9, B=1.
    start: NotRequired[int]  # Units a group; named before the data are seen.
    threshold: NotRequired[float]  # Of the sample ratio's p.
    time: NotRequired[str]  # A column: looks over time.


class WholeAnalysis(TypedDict):
    asked: dict[str, Any]  # The question, with every option.
    facts: dict[str, Any]  # As `manage.py analyse_experiment --json` has it.
    id: int
    made_at: str
    url: str
