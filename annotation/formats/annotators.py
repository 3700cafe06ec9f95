"""The table of all annotators, a row a person, as `rows` makes CSV of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class AnnotatorLine:
    """One person as the policy sees them; None where nothing is known. What each figure is, docs/quality.md says."""

    annotator: str
    standing: str
    excluded: bool
    paused: bool
    believed: bool
    judged: int
    gold: int
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    within_one: float | None
    leniency: float | None
    agreement_with_others: float | None
    agreement_among_others: float | None
    commonest_grade: int | None
    commonest_share: float | None
    longest_run: int | None
    near_copies: int
    checks: int
    checks_passed: int
    repeats: int
    repeats_same: int
    active_seconds: float | None
    wall_seconds: float | None
    early: float | None
    watch: str
    watch_after: int | None
    critical_errors: int
