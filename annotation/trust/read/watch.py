"""The watch on critical errors: its settings, where it stands with people, and how often it errs, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf

import numpy as np
from django.db.models import Exists, OuterRef

from annotation.kernel.visible import visible_judgments
from annotation.models import Collection, ExclusionEvent, GoldEvent, Rule
from annotation.quality.arrays import Ints
from annotation.quality.inputs import Inputs
from annotation.quality.table import JudgmentTable
from annotation.quality.trust import (
    SHOWN,
    ErrorRates,
    Watch,
    Watched,
    WatchSettings,
    error_rates,
    far_off,
    pause_threshold,
    watch_people,
)

_LONG = 100_000  # golds; nobody judges more


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
class WatchRow:
    """Where the watch stands with a person, as a page says it; `tone` as of a badge."""

    state: str
    tone: str
    words: str
    n_critical: int
    n_gold: int
    after: int | None  # golds until cleared or stopped
    reason: str  # to exclude the person for; empty where the watch has none
    rule: str = ""  # the `Rule` that asks for it


def watch_settings(collection: Collection) -> WatchSettings:
    """Those chosen, else the built-in ones. Raises `SettingError` if what is stored makes no watch."""
    return WatchSettings.of(collection.watch)


def watch_rows(collection: Collection, inputs: Inputs) -> list[WatchRow]:
    """One entry an annotator, in the order of the table's annotators. Two queries."""
    table, back = inputs.table, _reinstated(collection)
    moment = _moments(collection, table)
    watched = watch_people(inputs, watch_settings(collection), moment)
    if not can_err_critically(inputs):
        return [_unseeing(each) for each in watched]
    return [watch_row(each, reinstated=name in back) for name, each in zip(table.annotators, watched, strict=True)]


def can_err_critically(inputs: Inputs) -> bool:
    """Whether any grade on any gold pair would be a critical error; without, the watch sees nothing."""
    return bool(far_off(inputs.gold).any())


def _unseeing(watch: Watch) -> WatchRow:
    """Where no grade would be a critical error nobody is cleared for having made none."""
    state, tone = _STATES[Watched.WATCHING]
    words = "no critical error is possible on this gold" if watch.n_gold else "no gold yet"
    return WatchRow(state, tone, words, 0, watch.n_gold, None, reason="")


def watch_row(watch: Watch, *, reinstated: bool = False) -> WatchRow:
    """Who was reinstated by hand is no more proposed: somebody has looked."""
    state, tone = _STATES[watch.state]
    after = watch.ended_after or watch.cleared_after
    words = f"after {_golds(after)}" if after else "too little gold yet" if watch.n_gold else "no gold yet"
    if not watch.ended or reinstated:
        said = f"{words}; reinstated by hand" if watch.ended else words
        return WatchRow(state, tone, said, watch.n_critical, watch.n_gold, after, reason="")
    errors = f"{watch.n_critical} critical error{'' if watch.n_critical == 1 else 's'} in {_golds(watch.n_gold)}"
    cleared = f", cleared after {watch.cleared_after}" if watch.cleared_after else ""
    reason = f"The watch on critical errors stopped this person {words}{cleared}: {errors}."
    rule = Rule.STOP if watch.state == Watched.STOPPED else Rule.ALARM
    return WatchRow(state, tone, words, watch.n_critical, watch.n_gold, after, reason, rule)


def rate_rows(settings: WatchSettings, rates: Sequence[float] = SHOWN) -> list[RateRow]:
    """The exact error rates of the settings, in words."""
    return [_rate_row(each) for each in error_rates(settings, rates)]


def rates_in_short(settings: WatchSettings) -> str:
    """The error rates for the two rates that the settings name, in a sentence."""
    good, poor = error_rates(settings, [settings.good, settings.poor])
    return (
        f"Of people who err critically on {percent(1 - settings.good)} of gold it stops {percent(good.stopped)} before "
        f"it clears them, and {percent(good.paused)} within {settings.per_golds} golds after; of people who do so on "
        f"{percent(1 - settings.poor)} it stops {percent(poor.stopped)} before it clears them, after "
        f"{poor.golds_stopped or 0:.0f} golds on average."
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


def _moments(collection: Collection, table: JudgmentTable) -> Ints:
    """(n_rows,): the place of each judgment on gold by its time. Judgments from elsewhere without one have that of
    the import, and are saved in the order of their file. What is not gold is at 0: nobody asks."""
    gold = GoldEvent.objects.filter(collection=collection, topic=OuterRef("topic"), document=OuterRef("document"))
    found = visible_judgments(collection).filter(Exists(gold), criterion=table.criterion)
    keys = np.fromiter(found.order_by("created_at", "pk").values_list("pk", flat=True).iterator(), dtype=np.int64)
    order = np.argsort(keys)
    place = np.searchsorted(keys, table.sequence, sorter=order).clip(max=max(len(keys) - 1, 0))
    if not len(keys):
        return np.zeros(len(table), dtype=np.int64)
    return np.where(keys[order[place]] == table.sequence, order[place] + 1, 0).astype(np.int64)


def _reinstated(collection: Collection) -> set[str]:
    """Whose last exclusion was taken back by hand, by pseudonym."""
    events = ExclusionEvent.objects.filter(collection=collection).order_by("pk")
    last = {name: (action, rule) for name, action, rule in events.values_list("annotator__pseudonym", "action", "rule")}
    return {name for name, event in last.items() if event == (ExclusionEvent.Action.REINSTATE, "")}


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


def _golds(n: int) -> str:
    return f"{n} gold{'' if n == 1 else 's'}"


_STATES = {
    Watched.WATCHING: ("watching", ""),
    Watched.CLEARED: ("cleared", "ok"),
    Watched.STOPPED: ("stopped", "bad"),
    Watched.PAUSED: ("stopped", "bad"),
}
