"""Somebody judges faster than one can read."""

from annotation.quality.alerts.rule import Alert, AlertRule, AlertSettings, BatchFigures, Threshold
from annotation.quality.annotators.pace import FAR
from annotation.quality.arrays import Floats
from annotation.text.counted import percent

RULE = "racing"
LEAST = 20  # timed judgments of a person, before a share of them says anything
EARLY = Threshold(
    "early",
    0.2,
    0.01,
    1.0,
    title="Too fast: before the minimum time, from %",
    help="Share of a person’s judgments.",
    share=True,
)
HASTY = Threshold(
    "hasty",
    0.1,
    0.01,
    1.0,
    title="Too fast: far faster than everybody, from %",
    help="Share of a person’s judgments.",
    share=True,
)


def racing_people(batch: BatchFigures, settings: AlertSettings) -> list[Alert]:
    """People who judge, for any of three reasons: a large share of judgments before the minimum time, a large share far
    faster than everybody's answers (`pace.hasty`), or a middle pace far from everybody's (`pace.beside`, log-normal).

    The level is the larger of the two shares.
    """
    pace = batch.pace
    alerts = []
    for i in (batch.started & (pace.hasty.n >= LEAST)).nonzero()[0].tolist():
        early, hasty = _or_zero(batch.early, i), _or_zero(pace.hasty.value, i)
        reasons = _reasons(early, hasty, _or_zero(pace.beside.value, i), pace.hasty_ms, settings)
        if reasons:
            alerts.append(Alert(RULE, batch.people[i], max(early, hasty), f"{'; '.join(reasons).capitalize()}."))
    return alerts


def _reasons(early: float, hasty: float, beside: float, hasty_ms: float, settings: AlertSettings) -> list[str]:
    reasons = []
    if early >= settings[EARLY]:
        reasons.append(f"{percent(early)} of the judgments came before the minimum time")
    if hasty >= settings[HASTY]:
        reasons.append(f"{percent(hasty)} took less than {hasty_ms / 1000:.1f} s, far faster than people usually are")
    if beside < -FAR:
        reasons.append("the pace as a whole is far faster than everybody else’s")
    return reasons


def _or_zero(values: Floats, i: int) -> float:
    """0 where there is no figure (NaN)."""
    return float(values[i]) if values[i] == values[i] else 0.0


RACING_PEOPLE = AlertRule(
    RULE,
    "Too fast",
    "Look at the person’s pace and grades beside everybody’s.",
    subject="person",
    worse_by=0.1,
    find=racing_people,
    thresholds=(EARLY, HASTY),
)
