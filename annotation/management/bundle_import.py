"""Whole collections into this installation: bundles, and BEIR folders."""

import argparse
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, TypeAlias

from annotation.exchange.forms.bundles import ArrivalForm
from annotation.exchange.steps.bundles import import_collection_here, sweep_staged
from annotation.exchange.steps.importing import discard_import, publish_here, sweep_imports, upload_here
from annotation.formats.bundle import is_bundle
from annotation.formats.folder import pack_folder
from annotation.formats.problems import FormatError
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.files import STREAM, name_of, opened
from annotation.kernel.commands.importing import advice, refuse_problems
from annotation.kernel.commands.naming import cleaned, collection_named, leader_named
from annotation.kernel.commands.progress import Progress
from annotation.kernel.jobs import JobRefusedError
from annotation.management.importing import add_grades, add_on_conflict
from annotation.models import Import, Job

Summary: TypeAlias = dict[str, Any]
PORTION = 1 << 20  # bytes


class ImportBundle(TouchstoneCommand):
    help = (
        "Import a bundle, or a BEIR folder (corpus.jsonl, queries.jsonl, qrels/*.tsv; packed as zip or tar.gz, or as "
        "it lies on the disk), as a new collection. It is there once everything is stored and every snapshot and run "
        "rebuilds to the hash that it had; otherwise nothing is left. A BEIR folder can also go into a collection "
        "that is there: --into."
    )
    examples = (
        "touchstone import bundle bees.zip --as bees-2 --admin lead --dry-run",
        "touchstone import bundle scifact/ --into bees --on-conflict skip",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "stored, or with --dry-run: would be stored",
            REFUSED: "refused: the problems are on the standard error, nothing was stored",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", help="the bundle, or the BEIR folder; - for the standard input")
        destination = parser.add_mutually_exclusive_group()
        destination.add_argument(
            "--as", dest="slug", default="", help="the new collection's short name (default: its old one)"
        )
        destination.add_argument("--into", help="the short name of a collection that takes the BEIR folder in")
        parser.add_argument(
            "--admin", help="the username of who leads it (default: the only account that may create collections)"
        )
        add_on_conflict(parser, "text, with --into,")
        add_grades(parser)
        parser.add_argument("--dry-run", action="store_true", help="try everything, and store nothing")

    def handle(self, *, file: str, **options: Any) -> None:
        try:
            with _packed(file) as stream:
                summary = self._into(stream, file, options) if options["into"] else self._new(stream, file, options)
        except JobRefusedError as error:
            lines = [str(error), *advice([str(error)]), "Nothing was stored."]
            raise RefusedError("\n".join(lines)) from error
        finally:
            sweep_staged()
            sweep_imports()
        self.answer(_in_words(summary), summary)

    def _new(self, stream: BinaryIO, file: str, options: dict[str, Any]) -> Summary:
        if options["slug"]:
            cleaned(ArrivalForm, "slug", options["slug"], "--as")
        actor, dry_run = leader_named(options["admin"]), options["dry_run"]
        watch = Progress(self.stderr)
        job = import_collection_here(
            stream,
            filename=name_of(file),
            slug=options["slug"],
            actor=actor,
            watch=watch,
            dry_run=dry_run,
            grades=options["grades"],
        )
        if job.state != Job.State.DONE:
            raise JobRefusedError(job.error or f"The job ended as {job.state}.")
        if not dry_run:
            return _summary(job.result["collection"], job.result["counts"], stored=True, admin=actor.username)
        refuse_problems(job.result["problems"], job.result["n_problems"])
        return _summary(job.result["slug"], job.result["preview"]["counts"], stored=False, admin=actor.username)

    def _into(self, stream: BinaryIO, file: str, options: dict[str, Any]) -> Summary:
        """The way of every import: checked, then stored."""
        if is_bundle(stream):
            raise MisuseError("A bundle becomes a collection of its own: use --as instead of --into.")
        collection, watch = collection_named(options["into"]), Progress(self.stderr)
        settings = {name: options[name] for name in ("on_conflict", "grades")}
        kind = Import.Kind.COLLECTION
        record = upload_here(
            collection, kind=kind, stream=stream, filename=name_of(file), created_by=None, watch=watch, **settings
        )
        if options["dry_run"]:
            discard_import(record)
        elif not record.n_problems:
            record = publish_here(record, actor=None, watch=watch)
        refuse_problems(record.problems, record.n_problems)
        return _summary(collection.slug, record.preview["counts"], stored=not options["dry_run"])


@contextmanager
def _packed(file: str) -> Iterator[BinaryIO]:
    """The file, one that can be rewound, or the folder as a zip."""
    if file != STREAM and not Path(file).is_dir():
        with opened(file) as stream:
            yield stream
        return
    with tempfile.TemporaryFile() as archive:
        if file == STREAM:
            with opened(file) as stream:
                shutil.copyfileobj(stream, archive, PORTION)
        else:
            _pack(Path(file), archive)
        archive.seek(0)
        yield archive


def _pack(folder: Path, archive: BinaryIO) -> None:
    try:
        pack_folder(folder, archive)
    except FormatError as fault:
        raise RefusedError(str(fault)) from fault


def _summary(slug: str, counts: list[tuple[str, int]], *, stored: bool, admin: str = "") -> Summary:
    return {"collection": slug, "stored": stored, "admin": admin, "rows": {name.lower(): rows for name, rows in counts}}


def _in_words(summary: Summary) -> str:
    counts = ", ".join(f"{name} {rows}" for name, rows in summary["rows"].items() if rows)
    verb = "stored" if summary["stored"] else "would be stored"
    destination = (
        f"as {summary['collection']}, led by {summary['admin']}" if summary["admin"] else f"in {summary['collection']}"
    )
    return f"{verb} {destination}: {counts}"
