"""What import commands have in common: the files, how they are read, the preview, problems as `file:line: reason`."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.exchange.forms.imports import FORMS
from annotation.exchange.steps.importing import (
    asks_first,
    discard_import,
    formats_of,
    publish_here,
    sweep_imports,
    upload_here,
)
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.files import name_of, opened
from annotation.kernel.commands.importing import add_columns, columns_of, refuse_problems
from annotation.kernel.commands.naming import add_collection, cleaned, collection_named
from annotation.kernel.commands.progress import Progress
from annotation.kernel.jobs import JobRefusedError
from annotation.models import Collection, Import

EXITS: Mapping[int, str] = MappingProxyType(
    {
        DONE: "stored, or with --dry-run: would be stored",
        REFUSED: "refused: the problems are on the standard error, nothing of the file was stored",
    }
)


class ImportCommand(TouchstoneCommand):
    """A subclass says which kind of file it takes, gives examples, and adds the options of its kind.

    `options` names those that the importer goes by, as `start_import` takes them; `naming` the one that can go with
    one file only.
    """

    kind: str
    options: tuple[str, ...] = ("name", "on_conflict", "tag", "description", "grades", "unknown")
    naming = ""
    exits = EXITS

    def help_end(self, program: str) -> str:
        formats = "\n".join(f"  {each.name:<15} {each.title}" for each in formats_of(self.kind))
        return f"forms:\n{formats}\n\n{super().help_end(program)}" if formats else super().help_end(program)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument(
            "file",
            nargs="+",
            help="a file, plain or gzip; - for the standard input. Of several each is stored by itself, in their order",
        )
        parser.add_argument("--dry-run", action="store_true", help="say what would be stored, and store nothing")
        parser.add_argument(
            "--format", dest="form", default="", help="what to read the file as; without it, what its content says"
        )
        add_columns(parser)

    def handle(
        self, *, collection: str, file: list[str], dry_run: bool, form: str, columns: list[str], **options: Any
    ) -> None:
        target = collection_named(collection)
        answers = {name: self._answer(name, options[name]) for name in self.options if name in options}
        self._require_form(form)
        answers |= {"format": form, "columns": columns_of(columns)}
        if len(file) > 1 and answers.get(self.naming):
            raise MisuseError(f"--{self.naming} goes with one file.")
        for each in file:
            self._import(target, each, {**answers, **self.further_answers(each, options)}, dry_run=dry_run)

    def further_answers(self, _file: str, _options: dict[str, Any]) -> dict[str, Any]:
        """What goes with one file of several: a file beside it."""
        return {}

    def _import(self, target: Collection, file: str, answers: dict[str, Any], *, dry_run: bool) -> None:
        watch = Progress(self.stderr)
        try:
            record = self._finish(self._checked(target, file, watch, answers), watch, dry_run=dry_run)
        except JobRefusedError as error:
            raise RefusedError(str(error)) from error
        finally:
            watch.end()
            sweep_imports()
        self._tell(record, dry_run=dry_run)

    def _answer(self, name: str, value: Any) -> Any:
        """An option as the page's form takes it."""
        form = FORMS[self.kind]
        return cleaned(form, name, value, f"--{name}") if name in form.base_fields else value

    def _require_form(self, name: str) -> None:
        names = [each.name for each in formats_of(self.kind)]
        if name and name not in names:
            raise MisuseError(f"There is no form {name}; there are {', '.join(names)}.")

    def _checked(self, target: Collection, file: str, watch: Progress, answers: dict[str, Any]) -> Import:
        with opened(file) as stream:
            return upload_here(
                target, kind=self.kind, stream=stream, filename=name_of(file), created_by=None, watch=watch, **answers
            )

    def _finish(self, record: Import, watch: Progress, *, dry_run: bool) -> Import:
        """Store what has no problem; of what was only tried nothing stays."""
        if not dry_run and not record.n_problems and not asks_first(record):
            return publish_here(record, actor=None, watch=watch)
        if dry_run or not record.n_problems:
            discard_import(record)
        return record

    def _tell(self, record: Import, *, dry_run: bool) -> None:
        """Say what came of it, and end the command if the file was refused."""
        if self.as_json:
            self.answer("", outcome(record, dry_run=dry_run))
        refuse_problems(record.problems, record.n_problems)
        if not self.as_json:
            self.stdout.write(summary(record, stored=record.state == Import.State.PUBLISHED))
        if asks_first(record):  # what would be corrected is said first, and done when it is asked for
            raise RefusedError("Nothing was stored: --correct stores it.")


def add_on_conflict(parser: argparse.ArgumentParser, noun: str) -> None:
    parser.add_argument(
        "--on-conflict",
        choices=["refuse", "version", "skip"],
        default="refuse",
        help=f"a {noun} that is here with another text: refuse the file (default), store a new version, or skip it",
    )


def add_unknown(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--unknown",
        choices=["refuse", "skip"],
        default="refuse",
        help="pairs whose topic or document is not there: refuse the file (default), or leave them aside",
    )


def add_grades(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--grades",
        default="",
        metavar="MAP",
        help='what the grades of the file are on the scale: "0=0, 2=1, 16=4, relevant=3, broken link=cannot"',
    )


def outcome(record: Import, *, dry_run: bool) -> Mapping[str, object]:
    """What came of an import, for a program."""
    preview = record.preview
    return {
        "kind": record.kind,
        "file": record.filename,
        "sha256": record.sha256,
        "import": None if dry_run else record.pk,
        "stored": record.state == Import.State.PUBLISHED,
        "format": preview.get("format"),
        "counts": dict(preview.get("counts", [])),
        "facts": preview.get("facts", {}),
        "notes": preview.get("notes", []),
        "left_aside": preview.get("aside", []),
        "n_problems": record.n_problems,
        "problems": record.problems,
    }


def summary(record: Import, *, stored: bool) -> str:
    tag = [record.preview["facts"]["tag"]] if "tag" in record.preview["facts"] else []
    counts = ", ".join(tag + [f"{name.lower()} {count}" for name, count in record.preview["counts"]])
    notes = "".join(f"\nnote: {note}" for note in record.preview["notes"])
    return f"{read_as(record)}{'stored' if stored else 'would be stored'}: {counts}{notes}"


def read_as(record: Import) -> str:
    """What the file was read as, and where its columns have other names than what they mean."""
    file_format = record.preview.get("format")
    if not file_format:
        return ""
    columns = [
        f"{meaning} from {column}" for column, meaning in file_format["columns"] if meaning and meaning != column
    ]
    return f"read as {file_format['title']} ({file_format['name']}){': ' if columns else ''}{', '.join(columns)}\n"
