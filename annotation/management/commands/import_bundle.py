"""A whole collection from a bundle that another installation has written, or from a BEIR folder."""

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

from django.core.management.base import BaseCommand, CommandError

from annotation.exchange.steps import (
    discard_import,
    import_collection_here,
    publish_here,
    sweep_imports,
    sweep_staged,
    upload_here,
)
from annotation.formats.bundle import is_bundle
from annotation.formats.folder import pack_folder
from annotation.formats.problems import FormatError
from annotation.kernel.jobs import JobRefusedError
from annotation.management.answering import Progress, collection_of
from annotation.management.importing import add_grades, advice, opened, problems_error, tell_problems
from annotation.models import Import, Job, User

Summary: TypeAlias = dict[str, Any]


class Command(BaseCommand):
    help = (
        "Import a bundle, or a BEIR folder (corpus.jsonl, queries.jsonl, qrels/*.tsv; packed as zip or tar.gz, or as "
        "it lies on the disk), as a new collection. It is there once everything is stored and every snapshot and run "
        "rebuilds to the hash that it had; otherwise nothing is left. A BEIR folder can also go into a collection "
        "that is there: --into."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the bundle, or the BEIR folder")
        destination = parser.add_mutually_exclusive_group()
        destination.add_argument(
            "--as", dest="slug", default="", help="the new collection's short name (default: its old one)"
        )
        destination.add_argument("--into", help="the short name of a collection that takes the BEIR folder in")
        parser.add_argument(
            "--admin", help="the username of who leads it (default: the only account that may create collections)"
        )
        parser.add_argument(
            "--on-conflict",
            choices=["refuse", "version", "skip"],
            default="refuse",
            help="with --into, a text that is here in other words: refuse the file (default), store a new version, "
            "or leave it aside",
        )
        add_grades(parser)
        parser.add_argument("--dry-run", action="store_true", help="try everything, and store nothing")
        parser.add_argument("--json", action="store_true", help="say what was stored as JSON")

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            with _packed(file) as stream:
                summary = self._into(stream, file, options) if options["into"] else self._new(stream, file, options)
        except JobRefusedError as error:
            lines = [str(error), *advice([str(error)]), "Nothing was stored."]
            raise CommandError("\n".join(lines)) from error
        finally:
            sweep_staged()
            sweep_imports()
        self.stdout.write(json.dumps(summary, ensure_ascii=False) if options["json"] else _in_words(summary))

    def _new(self, stream: BinaryIO, file: Path, options: dict[str, Any]) -> Summary:
        actor, dry_run = leader(options["admin"]), options["dry_run"]
        watch = Progress(self.stderr)
        job = import_collection_here(
            stream,
            filename=file.name,
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
        self._refuse_problems(job.result["problems"], job.result["n_problems"])
        return _summary(job.result["slug"], job.result["preview"]["counts"], stored=False, admin=actor.username)

    def _into(self, stream: BinaryIO, file: Path, options: dict[str, Any]) -> Summary:
        """The way of every import: checked, then stored."""
        if is_bundle(stream):
            raise CommandError("A bundle becomes a collection of its own: use --as instead of --into.")
        collection, watch = collection_of(options["into"]), Progress(self.stderr)
        settings = {name: options[name] for name in ("on_conflict", "grades")}
        kind = Import.Kind.COLLECTION
        record = upload_here(
            collection, kind=kind, stream=stream, filename=file.name, created_by=None, watch=watch, **settings
        )
        if options["dry_run"]:
            discard_import(record)
        elif not record.n_problems:
            record = publish_here(record, actor=None, watch=watch)
        self._refuse_problems(record.problems, record.n_problems)
        return _summary(collection.slug, record.preview["counts"], stored=not options["dry_run"])

    def _refuse_problems(self, problems: Sequence[Mapping[str, Any]], n_problems: int) -> None:
        tell_problems(self.stderr, problems)
        if n_problems:
            raise problems_error(n_problems)


@contextmanager
def _packed(file: Path) -> Iterator[BinaryIO]:
    """The file, or the folder as a zip."""
    if not file.is_dir():
        with opened(file) as stream:
            yield stream
        return
    with tempfile.TemporaryFile() as archive:
        try:
            pack_folder(file, cast("BinaryIO", archive))
        except FormatError as fault:
            raise CommandError(str(fault)) from fault
        archive.seek(0)
        yield cast("BinaryIO", archive)


def leader(username: str | None) -> User:
    """Who is to lead the collection: the person named, else the only one who may create collections."""
    people = User.objects.filter(is_active=True)
    people = people.filter(username=username) if username else people.filter(may_create_collections=True)
    leaders = list(people[:2])
    if not leaders and username:
        raise CommandError(f"There is no account {username}.")
    if not leaders:
        raise CommandError("A collection needs an admin: make one with manage.py create_admin.")
    if len(leaders) > 1:
        raise CommandError("Several accounts may create collections: choose one with --admin.")
    return leaders[0]


def _summary(slug: str, counts: list[tuple[str, int]], *, stored: bool, admin: str = "") -> Summary:
    return {"collection": slug, "stored": stored, "admin": admin, "rows": {name.lower(): rows for name, rows in counts}}


def _in_words(summary: Summary) -> str:
    counts = ", ".join(f"{name} {rows}" for name, rows in summary["rows"].items() if rows)
    verb = "stored" if summary["stored"] else "would be stored"
    destination = (
        f"as {summary['collection']}, led by {summary['admin']}" if summary["admin"] else f"in {summary['collection']}"
    )
    return f"{verb} {destination}: {counts}"
