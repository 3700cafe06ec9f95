"""Series, as commands: begun and ended, seen to."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, TouchstoneCommand
from annotation.kernel.commands.naming import add_dry_run, attempt, collection_named, require_valid
from evaluation.management.series_points import (
    CheckSeries,
    ImportPoints,
    ListSeries,
    MeasureSeries,
    NewSeriesPoint,
    ShowSeries,
    add_series,
    add_time,
    checked_time,
    named_series,
)
from evaluation.models import Series
from evaluation.series.forms import OF_KINDS, CloseForm, SeriesEditForm, SeriesForm, SeriesNoteForm
from evaluation.series.steps.alerts import add_note, alert_to_see_to, close_alert, see_alert
from evaluation.series.steps.editing import edit_series
from evaluation.series.steps.making import SeriesError, create_series, end_series

EXITS: Mapping[int, str] = MappingProxyType(
    {DONE: "done, or with --dry-run: would be done", REFUSED: "refused: it has ended, or the name is taken"}
)
NUMBERS = {
    "n_history": "--history",
    "rate": "--rate",
    "horizon": "--horizon",
    "block": "--block",
    "low": "--low",
    "high": "--high",
    "hour": "--hour",
    "days": "--days",
}
SCHEDULES = [value for value in Series.Schedule.values if value]


class AddSeries(TouchstoneCommand):
    help = "Begin a series: what is measured, by which rule it is watched, when."
    examples = (
        "touchstone series add bees latency --bad up --history 50",
        "touchstone series add bees nightly --kind measure --run 'nightly-*' --measure nDCG@10 --schedule daily",
        "touchstone series add bees gold --kind gold --days 7 --rule limits --low 0.7 --schedule weekly",
    )
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_series(parser)
        parser.add_argument("--description", default="", help="what it is watched for")
        parser.add_argument("--kind", choices=Series.Kind.values, default=Series.Kind.OUTSIDE, help="%(default)s")
        for name in OF_KINDS:
            if name not in NUMBERS:
                parser.add_argument(f"--{name}", default="", help=f"of --kind: {_kinds_with(name)}")
        for name, choices in (("bad", Series.Bad), ("rule", Series.Rule)):
            usual = SeriesForm.base_fields[name].initial
            parser.add_argument(f"--{name}", choices=choices.values, default=usual, help="default: %(default)s")
        _add_numbers(parser, NUMBERS)
        parser.add_argument("--schedule", choices=SCHEDULES, default="", help="kept by the worker; else by hand")
        parser.add_argument("--zone", default="UTC", help="time zone of the schedule; %(default)s")
        add_dry_run(parser)

    def handle(self, *, collection: str, dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        names = SeriesForm.base_fields
        entered = {name: options[name] for name in names if options.get(name) is not None}
        form = SeriesForm(entered, collection=here)
        require_valid(form)
        with attempt(SeriesError, dry_run=dry_run):
            series = create_series(here, created_by=None, **form.columns())
        facts = {"name": series.name, "kind": series.kind, "rule": series.rule, "begun": not dry_run}
        self.answer(f"{'would begin' if dry_run else 'begun'}: {series.name}", facts)


class EditSeries(TouchstoneCommand):
    help = "Give a series another name, rule or schedule; what is measured stays."
    examples = (
        "touchstone series edit bees nightly --schedule weekly --hour 4",
        "touchstone series edit bees gold --low 0.75 --rule limits --dry-run",
        "touchstone series edit bees nightly --name every-night --schedule none",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "done, or with --dry-run: would be done",
            REFUSED: "refused: it has ended, the name is taken, or another rule while an alert is open",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_series(parser)
        parser.add_argument("--name", dest="new_name", metavar="NAME", help="another name")
        parser.add_argument("--description", help="what it is watched for")
        parser.add_argument("--bad", choices=Series.Bad.values, help="in which direction a change is told of")
        parser.add_argument("--rule", choices=Series.Rule.values, help="begins with its usual numbers but those named")
        _add_numbers(parser, {name: option for name, option in NUMBERS.items() if name != "days"})
        parser.add_argument("--schedule", choices=[*SCHEDULES, "none"], help="none: by hand")
        parser.add_argument("--zone", help="time zone of the schedule")
        add_dry_run(parser)

    def handle(self, *, collection: str, name: str, dry_run: bool, **options: Any) -> None:
        series = named_series(collection, name)
        options["name"] = options["new_name"]
        options["schedule"] = "" if options["schedule"] == "none" else options["schedule"]
        entered = {each: options[each] for each in SeriesEditForm.base_fields if options.get(each) is not None}
        form = SeriesEditForm.with_entries(series, entered)
        require_valid(form)
        with attempt(SeriesError, dry_run=dry_run):
            changed = edit_series(series, actor=None, **form.columns())
        done = ("would be changed" if dry_run else "changed") if changed else "nothing to change"
        self.answer(f"{done}: {name}", {"name": form.columns()["name"], "changed": changed and not dry_run})


class EndSeries(TouchstoneCommand):
    help = "End a series: no point comes any more, what there is stays."
    examples = ("touchstone series end bees nightly", "touchstone series end bees nightly --dry-run")
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_series(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, name: str, dry_run: bool, **_: object) -> None:
        series = named_series(collection, name)
        with attempt(SeriesError, dry_run=dry_run):
            end_series(series, actor=None)
        self.answer(f"{'would end' if dry_run else 'ended'}: {name}", {"name": name, "ended": not dry_run})


class NoteSeries(TouchstoneCommand):
    help = "Say something of a moment of a series."
    examples = ("touchstone series note bees nightly 'A new tokenizer' --time 2026-11-28T02:00Z",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_series(parser)
        parser.add_argument("text", help="the note")
        add_time(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, name: str, text: str, time: str, dry_run: bool, **_: object) -> None:
        series = named_series(collection, name)
        form = SeriesNoteForm({"text": text, "time": checked_time(time)})
        require_valid(form)
        with attempt(SeriesError, dry_run=dry_run):
            note = add_note(series, **form.cleaned_data, actor=None)
        self.answer(f"{note.time:%Y-%m-%d %H:%M}: {note.text}", {"time": note.time.isoformat(), "text": note.text})


class SeeAlert(TouchstoneCommand):
    help = "Say that somebody looks into the open alert of a series."
    examples = ("touchstone series see bees nightly",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_series(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, name: str, dry_run: bool, **_: object) -> None:
        series = named_series(collection, name)
        with attempt(SeriesError, dry_run=dry_run):
            see_alert(alert_to_see_to(series), actor=None)
        self.answer(f"{'would be seen' if dry_run else 'seen'}: {name}", {"name": name, "seen": not dry_run})


class CloseAlert(TouchstoneCommand):
    help = "Close the open alert of a series, with a note; the path begins anew."
    examples = (
        "touchstone series close bees nightly --note 'A topic had lost its judgments'",
        "touchstone series close bees nightly --note 'The new model' --anew",
    )
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_series(parser)
        parser.add_argument("--note", required=True, help="what it was; it stays")
        parser.add_argument("--anew", action="store_true", help="the new level is usual: a new history from there")
        add_dry_run(parser)

    def handle(self, *, collection: str, name: str, note: str, anew: bool, dry_run: bool, **_: object) -> None:
        series = named_series(collection, name)
        form = CloseForm({"note": note, "anew": anew})
        require_valid(form)
        with attempt(SeriesError, dry_run=dry_run):
            following = close_alert(alert_to_see_to(series), **form.cleaned_data, actor=None)
        words = "; the points since give another alert" if following else ""
        facts = {"name": name, "closed": not dry_run, "alert": following is not None}
        self.answer(f"{'would be closed' if dry_run else 'closed'}: {name}{words}", facts)


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {
        "add": AddSeries,
        "list": ListSeries,
        "show": ShowSeries,
        "check": CheckSeries,
        "point": NewSeriesPoint,
        "import": ImportPoints,
        "measure": MeasureSeries,
        "note": NoteSeries,
        "see": SeeAlert,
        "close": CloseAlert,
        "edit": EditSeries,
        "end": EndSeries,
    }
)


def _add_numbers(parser: argparse.ArgumentParser, options: Mapping[str, str]) -> None:
    """Options of numbers, by their fields."""
    for name, option in options.items():
        kind = float if name in ("rate", "low", "high") else int
        help_text = SeriesForm.base_fields[name].help_text
        parser.add_argument(option, dest=name, type=kind, metavar="N", help=str(help_text).replace("%", "%%"))


def _kinds_with(name: str) -> str:
    from evaluation.series.steps.measuring import KINDS

    return ", ".join(kind for kind, each in KINDS.items() if name in each.fields)
