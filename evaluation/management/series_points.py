"""Series, as commands: points come in, and it is looked at."""

import argparse
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from annotation.formats.outside.times import moment
from annotation.formats.problems import FormatError
from annotation.kernel.commands import files
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import add_collection, add_dry_run, collection_named, require_valid, trial
from annotation.kernel.jobs import work_here
from annotation.models import Job
from annotation.text.counted import counted
from annotation.text.figures import number
from evaluation.models import Series, SeriesPoint
from evaluation.series.forms import PointForm
from evaluation.series.pages.overview import Overview, overview_of
from evaluation.series.pages.words import STATES, words_of_kind, words_of_schedule
from evaluation.series.read.series import all_points, open_alerts, series_named, series_of
from evaluation.series.steps.files import add_file
from evaluation.series.steps.making import SeriesError
from evaluation.series.steps.points import Added, add_points
from evaluation.series.steps.schedule import JOB, check_measurable

ALERT = 3  # exit code
EXITS: Mapping[int, str] = MappingProxyType(
    {
        DONE: "no alert is open",
        REFUSED: "refused: a point is not later than the one before it, or lies ahead; nothing could be measured; the "
        "series has ended, or measures itself",
        ALERT: "an alert is open",
    }
)


class _Alerting(TouchstoneCommand):
    """Ends with `ALERT` where an alert is open."""

    exits = EXITS

    def ended(self, *, alert: bool) -> None:
        if alert:
            self.stdout.flush()
            sys.exit(ALERT)


class NewSeriesPoint(_Alerting):
    help = "Bring a point. One that is there already, with the same value, is left alone."
    examples = (
        "touchstone series point bees latency 118.2",
        "touchstone series point bees latency 118.2 --time 2026-11-28T02:00Z --low 117 --high 120 --rests-on 4f2a91",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_series(parser)
        parser.add_argument("value", type=float, help="a number")
        add_time(parser)
        parser.add_argument("--low", type=float, metavar="X", help="lower end of its interval")
        parser.add_argument("--high", type=float, metavar="X", help="upper end")
        parser.add_argument("--rests-on", default="", metavar="TEXT", help="what was measured: a version, a hash")
        add_dry_run(parser)

    def handle(self, *, collection: str, name: str, time: str, dry_run: bool, **options: Any) -> None:
        series = named_series(collection, name)
        entered = {each: options[each] for each in ("value", "low", "high", "rests_on")}
        form = PointForm({**entered, "time": checked_time(time)})
        require_valid(form)
        with _refusals(), trial(dry_run=dry_run):
            added = add_points(series, [form.point()], source=SeriesPoint.Source.COMMAND, actor=None)
            overview = _answer(self, series, added, dry_run=dry_run)
        self.ended(alert=overview.alert is not None)


class ImportPoints(_Alerting):
    help = "Bring points from a file: all, or none."
    examples = (
        "touchstone series import bees latency history.csv",
        "touchstone series import bees latency - --dry-run",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_series(parser)
        parser.add_argument("file", help="CSV, TSV, JSONL or Parquet: time, value, and low and high; - reads the input")
        add_dry_run(parser)

    def handle(self, *, collection: str, name: str, file: str, dry_run: bool, **_: object) -> None:
        series = named_series(collection, name)
        source = SeriesPoint.Source.COMMAND
        with files.opened(file) as stream, _refusals(), trial(dry_run=dry_run):
            added = add_file(series, stream, name=files.name_of(file), source=source, actor=None)
            overview = _answer(self, series, added, dry_run=dry_run)
        self.ended(alert=overview.alert is not None)


class MeasureSeries(_Alerting):
    help = "Measure a series now, in this process."
    examples = ("touchstone series measure bees nightly", "touchstone series measure bees nightly --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_series(parser)

    def handle(self, *, collection: str, name: str, **_: object) -> None:
        series = named_series(collection, name)
        with _refusals():
            check_measurable(series)
        job = work_here(JOB, collection=series.collection, created_by=None, series=series.pk)
        if job.state != Job.State.DONE:
            raise RefusedError(job.error)
        overview = overview_of(series)
        words = job.result.get("words") or f"{name}: {number(job.result['value'])}"
        self.answer(f"{words}\n{overview.words[0]}", {**_facts(overview), "job": job.result})
        self.ended(alert=overview.alert is not None)


class CheckSeries(_Alerting):
    help = "Say by the exit code whether an alert is open, of one series or of any."
    examples = ("touchstone series check bees", "touchstone series check bees --name nightly --json")
    exits: Mapping[int, str] = MappingProxyType({DONE: "no alert is open", ALERT: "an alert is open"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("--name", metavar="SERIES", help="only this one")

    def handle(self, *, collection: str, name: str | None, **_: object) -> None:
        if name is not None:
            named_series(collection, name)
        alerts = open_alerts(collection_named(collection))
        alerts = alerts if name is None else alerts.filter(series__name=name)
        overviews = [overview_of(alert.series, with_changes=False) for alert in alerts]
        words = [f"{each.series.name}: {each.words[0]}" for each in overviews] or ["No alert is open."]
        self.answer("\n".join(words), {"alerts": [_facts(each) for each in overviews]})
        self.ended(alert=bool(overviews))


class ListSeries(TouchstoneCommand):
    help = "List the series of a collection."
    examples = ("touchstone series list bees --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_: object) -> None:
        rows = list(series_of(collection_named(collection)))
        lines = [
            f"{each.name}: {words_of_kind(each)}, {words_of_schedule(each)}, {counted(each.n_points, 'point')}"
            for each in rows
        ]
        facts = [
            {
                "name": each.name,
                "kind": each.kind,
                "rule": each.rule,
                "schedule": each.schedule,
                "points": each.n_points,
                "alert": each.is_alarmed,
                "ended": each.ended_at is not None,
            }
            for each in rows
        ]
        self.answer("\n".join(lines), facts)


class ShowSeries(TouchstoneCommand):
    help = "Show a series: how it stands, its rule, alerts, notes, and its points."
    examples = ("touchstone series show bees nightly", "touchstone series show bees nightly --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_series(parser)

    def handle(self, *, collection: str, name: str, **_: object) -> None:
        series = named_series(collection, name)
        overview = overview_of(series)
        points = list(all_points(series))
        lines = [
            *overview.words,
            *(f"{each.time:%Y-%m-%d %H:%M}  {_written(each)}" for each in points),
        ]
        rows = [
            {
                "time": each.time.isoformat(),
                "value": each.value,
                "low": each.low,
                "high": each.high,
                "n_missed": each.n_missed,
                "reason": each.reason,
                "rests_on": each.rests_on,
            }
            for each in points
        ]
        self.answer("\n".join(lines), {**_facts(overview), "points": rows})


def add_series(parser: argparse.ArgumentParser) -> None:
    add_collection(parser)
    parser.add_argument("name", help="what the series is called")


def add_time(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--time", default="", metavar="ISO", help="ISO 8601, without a zone UTC; without it: now")


def checked_time(text: str) -> str:
    """As forms take it; ends the command for no date."""
    when = moment(text) if text else None
    if text and when is None:
        raise MisuseError(f"--time {text}: no date (ISO 8601) from 1970 to 2199.")
    return when.isoformat() if when else ""


def named_series(collection: str, name: str) -> Series:
    series = series_named(collection_named(collection), name)
    if series is None:
        raise MisuseError(f"There is no series {name} in this collection.")
    return series


def _written(point: SeriesPoint) -> str:
    if point.value is None:
        return f"{point.n_missed} missed: {point.reason}"
    return f"{number(point.value)}  {point.rests_on}".rstrip()


def _facts(overview: Overview) -> dict[str, Any]:
    alert, last = overview.alert, overview.last
    return {
        "name": overview.series.name,
        "state": overview.state,
        "words": overview.words,
        "n_points": overview.n_points,
        "n_missed": overview.n_missed,
        "last": last.value if last else None,
        "baseline": overview.series.baseline,
        "alert": {"time": alert.point.time.isoformat(), "level": alert.level, "since": alert.since.isoformat()}
        if alert
        else None,
    }


def _answer(command: TouchstoneCommand, series: Series, added: Added, *, dry_run: bool) -> Overview:
    series.refresh_from_db()
    overview = overview_of(series)
    words = f"{'would come in' if dry_run else 'came in'}: {len(added.points)}; there already: {added.n_known}"
    facts = {"added": len(added.points), "known": added.n_known, "stored": not dry_run, **_facts(overview)}
    command.answer(f"{words}\n{STATES[overview.state][0]}: {overview.words[0]}", facts)
    return overview


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except FormatError as error:
        raise RefusedError("nothing was stored.", problems=error.problems) from error
    except SeriesError as error:
        raise RefusedError(str(error)) from error
