"""The watch on critical errors: its settings, and what it says of people."""

from dataclasses import dataclass

import numpy as np
from django.db.models import Exists, OuterRef

from annotation.kernel.visible import visible_judgments
from annotation.models import Collection, ExclusionEvent, GoldEvent, Rule
from annotation.quality.arrays import Ints
from annotation.quality.inputs import Inputs
from annotation.quality.trust import Watch, Watched, WatchSettings, far_off, watch_people
from annotation.text.counted import counted


@dataclass(frozen=True)
class WatchedPerson:
    """What the watch says of a person. `sees`: whether any grade would be a critical error; without, it sees nothing.
    `is_reinstated`: by hand; who was is no more proposed, for somebody has looked."""

    watch: Watch
    sees: bool
    is_reinstated: bool

    @property
    def after(self) -> int | None:
        """Golds until the person was stopped or cleared."""
        return self.watch.ended_after or self.watch.cleared_after

    @property
    def rule(self) -> str:
        """The `Rule` that asks to exclude the person; empty where none does."""
        if not self.watch.ended or self.is_reinstated:
            return ""
        return Rule.STOP if self.watch.state == Watched.STOPPED else Rule.ALARM

    @property
    def reason(self) -> str:
        """To exclude the person for; empty where the watch has none."""
        if not self.rule:
            return ""
        watch = self.watch
        errors = f"{counted(watch.n_critical, 'critical error')} in {golds(watch.n_gold)}"
        cleared = f", cleared after {watch.cleared_after}" if watch.cleared_after else ""
        return f"The watch on critical errors stopped this person after {golds(self.after or 0)}{cleared}: {errors}."


def watch_settings(collection: Collection) -> WatchSettings:
    """Those chosen, else the built-in ones. Raises `SettingError` if what is stored makes no watch."""
    return WatchSettings.of(collection.watch)


def watched_people(collection: Collection, inputs: Inputs) -> list[WatchedPerson]:
    """One entry an annotator, in the order of the table's annotators. Two queries, one where these inputs were
    asked before."""
    table, back = inputs.table, _reinstated(collection)
    watched = watch_people(inputs, watch_settings(collection), inputs.once(_moments, collection))
    if not can_err_critically(inputs):  # then nobody is cleared for having made no critical error
        return [
            WatchedPerson(Watch(Watched.WATCHING, each.n_gold, 0), sees=False, is_reinstated=False) for each in watched
        ]
    return [
        WatchedPerson(each, sees=True, is_reinstated=name in back)
        for name, each in zip(table.annotators, watched, strict=True)
    ]


def can_err_critically(inputs: Inputs) -> bool:
    """Whether any grade on any gold pair would be a critical error; without, the watch sees nothing."""
    return bool(far_off(inputs.gold).any())


def golds(n: int) -> str:
    return counted(n, "gold pair")


def _moments(inputs: Inputs, collection: Collection) -> Ints:
    """(n_rows,): the place of each judgment on gold by its time. Judgments from elsewhere without one have that of
    the import, and are saved in the order of their file. What is not gold is at 0: nobody asks."""
    table = inputs.table
    gold = GoldEvent.objects.filter(collection=collection, topic=OuterRef("topic"), document=OuterRef("document"))
    judgments = visible_judgments(collection).filter(Exists(gold), criterion=table.criterion)
    keys = np.fromiter(judgments.order_by("created_at", "pk").values_list("pk", flat=True).iterator(), dtype=np.int64)
    order = np.argsort(keys)
    position = np.searchsorted(keys, table.sequence, sorter=order).clip(max=max(len(keys) - 1, 0))
    if not len(keys):
        return np.zeros(len(table), dtype=np.int64)
    return np.where(keys[order[position]] == table.sequence, order[position] + 1, 0).astype(np.int64)


def _reinstated(collection: Collection) -> set[str]:
    """Whose last exclusion was taken back by hand, by pseudonym."""
    events = ExclusionEvent.objects.filter(collection=collection).order_by("pk")
    last = {name: (action, rule) for name, action, rule in events.values_list("annotator__pseudonym", "action", "rule")}
    return {name for name, event in last.items() if event == (ExclusionEvent.Action.REINSTATE, "")}
