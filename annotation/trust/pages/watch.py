"""What the watch on critical errors says of people, and how often it errs, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf

from annotation.models import Collection
from annotation.quality.inputs import Inputs
from annotation.quality.trust import (
    SHOWN,
    ErrorRates,
    Watched,
    WatchSettings,
    error_rates,
    pause_threshold,
    rates_in_runs,
)
from annotation.trust.read.watch import WatchedPerson, golds, watched_people

_LONG = 100_000  # golds; nobody judges more
_STATES = {
    Watched.WATCHING: ("watching", ""),
    Watched.CLEARED: ("cleared", "ok"),
    Watched.STOPPED: ("stopped", "bad"),
    Watched.PAUSED: ("stopped", "bad"),
}


@dataclass(frozen=True)
class RateRow:
    """What becomes of people of one true rate, as a page says it."""

    rate: str
    stopped: str
    golds: str
    golds_stopped: str
    paused: str
    golds_paused: str


@dataclass(frozen=True)
class RunsRow:
    """The same of the two rates that the settings name, where errors come in runs, as a page says it."""

    runs: str
    stopped: str
    paused: str
    poor_stopped: str


@dataclass(frozen=True)
class WatchRow:
    """Where the watch stands with a person, as a page says it; `tone` as of a badge."""

    state: str
    tone: str
    words: str
    n_critical: int
    n_gold: int
    after: int | None  # golds until cleared or stopped
    reason: str  # to exclude the person for; empty where the watch has none
    rule: str  # the `Rule` that asks for it


def watch_rows(collection: Collection, inputs: Inputs) -> list[WatchRow]:
    """As `watched_people`."""
    return [_watch_row(person) for person in watched_people(collection, inputs)]


def _watch_row(person: WatchedPerson) -> WatchRow:
    watch = person.watch
    state, tone = _STATES[watch.state]
    return WatchRow(
        state, tone, _words(person), watch.n_critical, watch.n_gold, person.after, person.reason, person.rule
    )


def _words(person: WatchedPerson) -> str:
    if not person.watch.n_gold:
        return "no gold yet"
    if not person.sees:
        return "no critical error is possible on this gold"
    if not person.after:
        return "too little gold yet"
    words = f"after {golds(person.after)}"
    return f"{words}; reinstated by hand" if person.watch.ended and person.is_reinstated else words


def rate_rows(settings: WatchSettings, rates: Sequence[float] = SHOWN) -> list[RateRow]:
    """The exact error rates of the settings, in words."""
    return [_rate_row(each) for each in error_rates(settings, rates)]


def runs_rows(settings: WatchSettings) -> list[RunsRow]:
    """The exact error rates where errors come independently, and in runs."""
    return [
        RunsRow(
            f"{each.runs:g}" if each.runs else "none",
            *(percent(share) for share in (each.stopped, each.paused, each.poor_stopped)),
        )
        for each in rates_in_runs(settings)
    ]


def rates_in_short(settings: WatchSettings) -> str:
    """The error rates for the two rates that the settings name, in a sentence."""
    good, poor = error_rates(settings, [settings.good, settings.poor])
    return (
        f"Of people who err critically on {percent(1 - settings.good)} of gold it stops {percent(good.stopped)} before "
        f"it clears them, and {percent(good.paused)} within {settings.per_golds} gold pairs after; of people who do so "
        f"on {percent(1 - settings.poor)} it stops {percent(poor.stopped)} before it clears them, after "
        f"{poor.golds_stopped or 0:.0f} gold pairs on average."
    )


def bounds_in_words(settings: WatchSettings) -> list[tuple[str, str]]:
    """What the settings come to, gold by gold."""
    return [
        ("A gold without a critical error lowers the score by", f"{settings.fall:.3f}"),
        ("A critical error raises it by", f"{settings.rise:.3f}"),
        ("Stopped from a score of", f"{settings.stop_at:.3f}"),
        ("Cleared at a score of", f"{settings.clear_at:.3f}".replace("-", "−")),
        ("After clearing, from 0 on and never below: stopped from", f"{pause_threshold(settings):.2f}"),
    ]


def _rate_row(each: ErrorRates) -> RateRow:
    return RateRow(
        rate=f"{each.rate:.2f}",
        stopped=percent(each.stopped),
        golds=f"{each.golds:.1f}",
        golds_stopped="–" if each.golds_stopped is None else f"{each.golds_stopped:.1f}",
        paused=percent(each.paused),
        golds_paused=_long(each.golds_paused),
    )


def percent(share: float) -> str:
    if 0 < share < 0.0005:
        return "< 0.1 %"
    return f"{100 * share:.1f} %"


def _long(golds: float) -> str:
    if isinf(golds) or golds > _LONG:
        return f"over {_LONG:,}"
    return f"{golds:,.0f}"
