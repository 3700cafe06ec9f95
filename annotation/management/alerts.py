"""Alerts of batches under way as commands: listed, set aside with a note, shown again."""

import argparse
from collections.abc import Callable, Mapping
from types import MappingProxyType

from annotation.health.forms import NoteForm
from annotation.health.pages.cached import alerts_now
from annotation.health.read.alerts import ShownAlert, open_batches
from annotation.health.steps import set_aside, show_again
from annotation.kernel.commands.base import DONE, REFUSED, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_actor,
    add_collection,
    add_dry_run,
    admin_named,
    cleaned,
    collection_named,
    named,
    trial,
)
from annotation.management.naming import batch_named
from annotation.models import AlertEvent, Batch
from annotation.quality.alerts import RULES


class ListAlerts(TouchstoneCommand):
    help = "List what goes wrong in the batches that are open or paused, also what was set aside."
    examples = ("touchstone alert list bees", "touchstone alert list bees --batch first --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("--batch", action="append", help="a batch by its name, as often as wanted; all, if none")

    def handle(self, *, collection: str, batch: list[str] | None, **_options: object) -> None:
        here = {each.name: each for each in open_batches(collection_named(collection))}
        chosen = named("batch under way", batch, here)
        rows = [_as_facts(each, alert) for each in chosen for alert in alerts_now(each).every]
        self.answer("\n".join(map(_in_words, rows)) or "no alert", rows)


class AlertStep(TouchstoneCommand):
    """A subclass says something of one alert, with a note."""

    change: Callable[..., AlertEvent]
    aside: bool
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "done, or with --dry-run: could be done", REFUSED: "refused: there is no such alert now, or it is so"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("batch", help="the batch by its name")
        parser.add_argument("rule", choices=list(RULES), help="the rule of the alert, as `alert list` says")
        parser.add_argument("--about", default="", help="a pseudonym or a topic's number, where the alert is about one")
        parser.add_argument("--note", required=True, help="what you found, or what you do about it; it stays on record")
        add_actor(parser)
        add_dry_run(parser)

    def handle(
        self,
        *,
        collection: str,
        batch: str,
        rule: str,
        about: str,
        note: str,
        actor: str | None,
        dry_run: bool,
        **_options: object,
    ) -> None:
        here = collection_named(collection)
        chosen, person = batch_named(here, batch), admin_named(here, actor)
        note = cleaned(NoteForm, "note", note, "note")
        alert = alerts_now(chosen).one(rule, about)
        if alert is None:
            raise RefusedError("There is no such alert now.")
        if (alert.event is not None) == self.aside:
            raise RefusedError("It is set aside already." if self.aside else "It is not set aside.")
        with trial(dry_run=dry_run):
            type(self).change(chosen, alert.alert, note=note, actor=person)
            facts = _as_facts(chosen, alerts_now(chosen).one(rule, about) or alert)
        words = _in_words(facts)
        self.answer(f"would be so: {words}" if dry_run else words, {**facts, "stored": not dry_run})


class SetAside(AlertStep):
    help = "Set an alert aside, with a note; it comes back if it gets worse."
    examples = ("touchstone alert aside bees first accuracy --about Amber --note 'She was ill; it is over'",)
    change = staticmethod(set_aside)
    aside = True


class ShowAgain(AlertStep):
    help = "Show an alert again that was set aside, with a note."
    examples = ("touchstone alert show-again bees first accuracy --about Amber --note 'Not over' --dry-run",)
    change = staticmethod(show_again)
    aside = False


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {"list": ListAlerts, "aside": SetAside, "show-again": ShowAgain}
)


def _as_facts(batch: Batch, shown: ShownAlert) -> dict[str, object]:
    return {
        "batch": batch.name,
        "rule": shown.alert.rule,
        "about": shown.alert.about,
        "level": shown.alert.level,
        "says": shown.alert.text,
        "advice": shown.rule.advice,
        "set_aside": shown.event is not None,
        "note": shown.event.note if shown.event else "",
    }


def _in_words(facts: Mapping[str, object]) -> str:
    about = f" ({facts['about']})" if facts["about"] else ""
    aside = f" [set aside: {facts['note']}]" if facts["set_aside"] else ""
    return f"{facts['batch']}: {facts['rule']}{about}: {facts['says']}{aside}"
