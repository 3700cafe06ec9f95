"""What a series says of itself: the state first, then what it rests on."""

from annotation.text.counted import counted
from annotation.text.figures import number
from evaluation.engine.drift.rule import Baseline
from evaluation.engine.drift.watch import FEW_HISTORY
from evaluation.models import Series, SeriesAlert
from evaluation.series.read.series import SeriesCourse
from evaluation.series.steps.alert_messages import words_of_alert

EACH = {"hourly": "each hour", "daily": "each day", "weekly": "each Monday", "monthly": "on the 1st of each month"}
STATES = {"alert": ("alert", "bad"), "usual": ("as usual", "ok"), "history": ("gathers history", "info")}


def state_of(course: SeriesCourse, alert: SeriesAlert | None) -> str:
    """`alert`, `usual`, or `history` where what is usual is not known yet."""
    if alert is not None:
        return "alert"
    is_known = course.series.rule == Series.Rule.LIMITS or course.baseline is not None
    return "usual" if is_known and course.points else "history"


def words_of(course: SeriesCourse, alert: SeriesAlert | None) -> list[str]:
    """The state in one sentence, then the grounds."""
    return [_state(course, alert), *_grounds(course)]


def _state(course: SeriesCourse, alert: SeriesAlert | None) -> str:
    if alert is not None:
        return words_of_alert(alert)
    if not course.points:
        return "No point has come yet."
    n, since = len(course.new) - course.start, "since the last alert was closed" if course.closed else ""
    if course.series.rule == Series.Rule.LIMITS:
        return f"{counted(n, 'point')}, none beyond the limits{since and f' {since}'}." if n else _none(since)
    if course.baseline is None:
        n_points, n_history = len(course.points), course.series.n_history
        if n_points >= n_history:
            return f"All {n_points} points are equal: what is usual cannot be told from them, and more are waited for."
        return f"History is gathered: {n_points} of {counted(n_history, 'point')}. Nothing is watched until then."
    since = since or "after the history"
    return f"No alarm in {counted(n, 'point')} {since}. That does not show that nothing changed." if n else _none(since)


def _none(since: str) -> str:
    return f"No point has come {since} yet."


def _grounds(course: SeriesCourse) -> list[str]:
    baseline = course.baseline
    if baseline is None:
        return []
    blocks = f"in blocks of {baseline.block} points" if baseline.block > 1 else "one by one"
    usual = (
        f"Usual is {number(baseline.mean)}, with a standard deviation of {number(baseline.deviation)}, from "
        f"{baseline.n_history} points of history. By {baseline.n_draws:,} draws of them, {blocks}, a series like it "
        f"without a change has a false alarm among {counted(baseline.horizon, 'new point')} with a chance of about "
        f"{100 * baseline.rate:g} %; after so many the path begins anew."
    )
    return [usual, *(f"Note: {note}." for note in _notes(baseline))]


def _notes(baseline: Baseline) -> list[str]:
    notes = []
    if baseline.n_history < FEW_HISTORY:
        notes.append(f"{baseline.n_history} points of history are few: below {FEW_HISTORY} the rate is rough")
    if baseline.connected:
        more = "more than stated; blocks lower them" if baseline.block == 1 else "up to twice as many as stated"
        notes.append(
            f"points of the history follow each other (correlation {baseline.autocorrelation:.2f} with the one "
            f"before): false alarms are {more}"
        )
    return notes


def words_of_kind(series: Series) -> str:
    """What is measured, in a line."""
    of = series.of
    if series.kind == Series.Kind.MEASURE:
        return f"{of['measure']} of {of['run']} against {of.get('snapshot') or 'the newest snapshot'}"
    if series.kind in (Series.Kind.AGREEMENT, Series.Kind.GOLD):
        what = "Krippendorff’s α" if series.kind == Series.Kind.AGREEMENT else "Accuracy on gold"
        return f"{what}, of the last {counted(of['days'], 'day')}" if of.get("days") else f"{what}, of all judgments"
    if series.kind == Series.Kind.VECTORS:
        return f"{of['figure']} of {of['model']} from {of['reference']}, {of['side']}"
    if series.kind == Series.Kind.SPACE:
        return f"{of['figure']} of the space of {of['model']}, {of['side']}"
    if series.kind == Series.Kind.QUERIES:
        return f"{of['statistic']} of the query log that came in last"
    return "Given from outside"


def words_of_schedule(series: Series) -> str:
    if not series.schedule:
        return "by hand"
    hour = "" if series.schedule == Series.Schedule.HOURLY else f" at {series.hour}:00, {series.zone}"
    return f"{EACH[series.schedule]}{hour}"
