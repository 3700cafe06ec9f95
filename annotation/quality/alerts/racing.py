"""Somebody judges faster than one can read."""

from collections.abc import Sequence

from annotation.quality.alerts.alert import Alert, percent
from annotation.quality.alerts.settings import AlertSettings
from annotation.quality.annotators.pace import FAR, Pace
from annotation.quality.arrays import Bools, Floats

RULE = "racing"
LEAST = 20  # timed judgments of a person, before a share of them says anything


def racing_people(
    pace: Pace, early: Floats, people: Sequence[str], here: Bools, settings: AlertSettings
) -> list[Alert]:
    """People `here`, (n_annotators,), for any of three reasons: a large share of judgments before the minimum time, a
    large share far faster than everybody's answers (`pace.hasty`), or a middle pace far from everybody's
    (`pace.beside`, log-normal).

    `early`: share of first judgments before the minimum time. The level is the larger of the two shares.
    """
    found = []
    for i in (here & (pace.hasty.n >= LEAST)).nonzero()[0].tolist():
        soon, hasty = _known(early, i), _known(pace.hasty.value, i)
        reasons = _reasons(soon, hasty, _known(pace.beside.value, i), pace.hasty_ms, settings)
        if reasons:
            found.append(Alert(RULE, people[i], max(soon, hasty), f"{'; '.join(reasons).capitalize()}."))
    return found


def _reasons(early: float, hasty: float, beside: float, hasty_ms: float, settings: AlertSettings) -> list[str]:
    reasons = []
    if early >= settings.early:
        reasons.append(f"{percent(early)} of the judgments came before the minimum time")
    if hasty >= settings.hasty:
        reasons.append(f"{percent(hasty)} took less than {hasty_ms / 1000:.1f} s, far faster than people usually are")
    if beside < -FAR:
        reasons.append("the pace as a whole is far faster than everybody else’s")
    return reasons


def _known(values: Floats, i: int) -> float:
    return float(values[i]) if values[i] == values[i] else 0.0
