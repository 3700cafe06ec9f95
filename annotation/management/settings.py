"""The settings of a collection as commands: thresholds of alerts, the watch on critical errors, pausing rules."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from annotation.health.forms import AlertsForm, in_percent
from annotation.health.read.alerts import chosen_alerts
from annotation.health.steps import choose_alerts
from annotation.kernel.commands.base import DONE, MisuseError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_actor,
    add_collection,
    add_dry_run,
    admin_named,
    collection_named,
    require_valid,
    trial,
)
from annotation.models import Collection, User
from annotation.trust.forms.pausing import RulesForm
from annotation.trust.forms.watch import WatchForm
from annotation.trust.read.proposals import rules_of
from annotation.trust.read.watch import watch_settings
from annotation.trust.steps.rules import choose_rules
from annotation.trust.steps.watch import choose_watch

Values = dict[str, Any]


class ChangeSettings(TouchstoneCommand):
    """A subclass is one group of settings."""

    exits: Mapping[int, str] = MappingProxyType({DONE: "changed, or as they were; with --dry-run: could be changed"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        words = "a setting and what it is to be, as often as wanted; the others stay"
        parser.add_argument("setting", nargs="+", metavar="NAME=VALUE", help=words)
        add_actor(parser)
        add_dry_run(parser)

    def current(self, collection: Collection) -> Values:
        """Those in force, by name."""
        raise NotImplementedError

    def change(self, collection: Collection, values: Values, actor: User) -> None:
        """To all of `values`; raises `MisuseError`."""
        raise NotImplementedError

    def handle(
        self, *, collection: str, setting: Sequence[str], actor: str | None, dry_run: bool, **_options: object
    ) -> None:
        here = collection_named(collection)
        person, before = admin_named(here, actor), self.current(here)
        chosen = _entries(setting, before)
        with trial(dry_run=dry_run):
            self.change(here, {**before, **chosen}, person)
            after = self.current(here)
        words = "\n".join(f"{name}: {_text(after[name])}" for name in chosen)
        facts = {name: _plain(value) for name, value in after.items()}
        self.answer(f"would be changed:\n{words}" if dry_run else words, {"settings": facts, "stored": not dry_run})


class AlertSettings(ChangeSettings):
    help = "Choose the thresholds of alerts, and what a judgment costs where its batch does not say."
    examples = (
        "touchstone settings alerts bees quiet_hours=12 cost_per_judgment=0.05 currency=EUR",
        "touchstone settings alerts bees accuracy=0.6 --dry-run --json",
    )

    def current(self, collection: Collection) -> Values:
        return dict(chosen_alerts(collection))

    def change(self, collection: Collection, values: Values, actor: User) -> None:
        form = AlertsForm(in_percent(values))
        require_valid(form)
        cost, currency = form.cleaned_data["cost_per_judgment"], form.cleaned_data["currency"]
        choose_alerts(collection, form.settings(), cost=cost, currency=currency, actor=actor)


class WatchSettings(ChangeSettings):
    help = "Choose the settings of the watch on critical errors. Nobody is excluded by it."
    examples = ("touchstone settings watch bees good=0.95 poor=0.7",)

    def current(self, collection: Collection) -> Values:
        return asdict(watch_settings(collection))

    def change(self, collection: Collection, values: Values, actor: User) -> None:
        form = WatchForm(values, begin=watch_settings(collection))
        require_valid(form)
        choose_watch(collection, form.settings(), actor=actor)


class PausingSettings(ChangeSettings):
    help = "Choose which rules pause people by themselves (pause) or only propose it, and what the paused read (note)."
    examples = ("touchstone settings pausing bees stop=pause speed=propose 'note=Please write to us.'",)

    def current(self, collection: Collection) -> Values:
        return {**asdict(rules_of(collection)), "note": collection.pause_note}

    def change(self, collection: Collection, values: Values, actor: User) -> None:
        form = RulesForm(values, begin=rules_of(collection), note=collection.pause_note)
        require_valid(form)
        choose_rules(collection, form.rules(), note=form.cleaned_data["note"], actor=actor)


GROUPS: Mapping[str, type[ChangeSettings]] = MappingProxyType(
    {"alerts": AlertSettings, "watch": WatchSettings, "pausing": PausingSettings}
)


class ShowSettings(TouchstoneCommand):
    help = "Show the settings of a collection: thresholds of alerts, the watch on critical errors, pausing rules."
    examples = ("touchstone settings show bees", "touchstone settings show bees --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        here = collection_named(collection)
        groups = {name: kind().current(here) for name, kind in GROUPS.items()}
        words = [line for name, values in groups.items() for line in (f"{name}:", *_lines(values))]
        facts = {name: {key: _plain(value) for key, value in values.items()} for name, values in groups.items()}
        self.answer("\n".join(words), facts)


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType({"show": ShowSettings, **GROUPS})


def _entries(settings: Sequence[str], before: Values) -> dict[str, str]:
    """By name; ends the command for one that there is not."""
    entries = {}
    for each in settings:
        name, equals, value = each.partition("=")
        if not equals or name not in before:
            raise MisuseError(f"{each}: write NAME=VALUE, of {', '.join(before)}.")
        entries[name] = value
    return entries


def _lines(values: Values) -> list[str]:
    return [f"  {name}: {_text(value)}" for name, value in values.items()]


def _text(value: object) -> str:
    if value is None or value == "":
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _plain(value: object) -> object:
    """As JSON has it: a cost is a string, for its digits."""
    return value if value is None or isinstance(value, int | float | str) else str(value)
