"""What commands that work on a collection share: what they name, help with examples, progress, exit codes."""

import argparse
import json
import time
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, DjangoHelpFormatter, OutputWrapper
from django.forms import Form

from annotation.models import Batch, Collection, Snapshot
from annotation.trust.read import judged_batches

STEP = 0.2  # seconds between two pictures of the bar
BAR = 30  # characters
REFUSED, MISUSED = 1, 2  # exit codes


class ExampleFormatter(DjangoHelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Examples stand as they are written."""


class Progress:
    """A bar on the standard error, where that is a terminal."""

    def __init__(self, stderr: OutputWrapper) -> None:
        self.stderr, self.is_shown = stderr, stderr.isatty()
        self.last, self.width = time.monotonic(), 0

    def __call__(self, done: int, total: int, message: str) -> None:
        if self.is_shown and time.monotonic() - self.last >= STEP:
            self.last = time.monotonic()
            filled = BAR * min(done, total) // total if total else 0
            self._draw(f"[{'#' * filled}{'.' * (BAR - filled)}] {message}" if total else message)

    def end(self) -> None:
        if self.width:
            self._draw("")
            self._draw("")

    def _draw(self, text: str) -> None:
        self.stderr.write(f"\r{text.ljust(self.width)}\r{text}", style_func=str, ending="")
        self.stderr.flush()
        self.width = len(text)


class AnsweringCommand(BaseCommand):
    """A subclass gives examples and its exit codes, and calls `answer`."""

    examples: str
    exit_codes: str

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        epilog = f"examples:\n{self.examples}\n\nexit codes:\n{self.exit_codes}"
        return super().create_parser(prog_name, subcommand, epilog=epilog, formatter_class=ExampleFormatter, **kwargs)

    def answer(self, words: str, facts: dict[str, object], *, as_json: bool) -> None:
        self.stdout.write(json.dumps(facts, ensure_ascii=False) if as_json else words)


def faults_of(form: Form) -> str:
    """The errors of a form, one a line, under the names of its fields."""
    faults = form.errors.get_json_data()
    return "\n".join(f"{field}: {each['message']}" for field, those in faults.items() for each in those)


def collection_of(slug: str) -> Collection:
    collection = Collection.objects.filter(slug=slug).first()
    if collection is None:
        raise CommandError(f"There is no collection {slug}.", returncode=MISUSED)
    return collection


def batches_named(collection: Collection, names: Sequence[str] | None) -> list[Batch]:
    """The batches of these names; without names, every one that is laid out."""
    batches = {batch.name: batch for batch in judged_batches(collection)}
    if not batches:
        raise CommandError("No batch of this collection is laid out.")
    unknown = [name for name in names or () if name not in batches]
    if unknown:
        raise CommandError(f"There is no batch {unknown[0]} that is laid out.")
    return [batches[name] for name in names or batches]


def snapshot_named(collection: Collection, name: str) -> Snapshot:
    snapshot = Snapshot.objects.filter(collection=collection, name=name).first()
    if snapshot is None:
        raise CommandError(f"There is no snapshot {name} in this collection.", returncode=MISUSED)
    return snapshot
