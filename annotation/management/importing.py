"""What the import commands have in common: the file, how it is read, the preview, problems as `file:line: reason`."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper

from annotation.exchange.steps import asks_first, discard_import, formats_of, publish_here, sweep_imports, upload_here
from annotation.formats.problems import Problem
from annotation.kernel.jobs import JobRefusedError
from annotation.management.answering import MISUSED, REFUSED, ExampleFormatter, Progress, collection_of
from annotation.models import Collection, Import

STDIN = "standard input"

OPTIONS: Mapping[str, str] = MappingProxyType(
    {  # what a reason says: the option that answers it
        ": choose which": "--format NAME says what to read the file as",
        "choose which part is its title": "--columns title=… narrative=… says which part of a topic is what",
        "is recognised: choose one of": "--columns MEANING=COLUMN says which column it is",
        "is already here with another text": "--on-conflict version stores the new text, skip leaves it aside",
        "another run with the tag": "--tag gives the run another tag",
        "say what the run is called": "--tag says it",
        "above the collection's scale": "--grades MAP says what grades are worth here",
        "the collection has no ": "--unknown skip leaves such pairs aside",
        "another snapshot called": "--name gives the snapshot another name",
        "a pool called": "--name gives the pool another name",
        "another batch called": "--name gives the batch another name",
        "came with earlier judgments": "--annotators same or --annotators new says which",
        "short name": "--as gives it a short name",
    }
)

EXIT_CODES = """exit codes:
  0  stored, or with --dry-run: would be stored
  1  refused: the problems are on the standard error, nothing was stored
  2  the command cannot be carried out as given: no such collection or file, an unknown option or form"""


class ImportCommand(BaseCommand):
    """A subclass says which kind of file it takes, gives an example, and adds the options of its kind.

    `options` names those that the importer goes by, as `start_import` takes them.
    """

    kind: str
    example: str = ""
    options: tuple[str, ...] = ("name", "on_conflict", "tag", "description", "grades", "unknown")

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        formats = "\n".join(f"  {each.name:<15} {each.title}" for each in formats_of(self.kind))
        parts = [
            f"forms:\n{formats}" if formats else "",
            f"example:\n{self.example}" if self.example else "",
            EXIT_CODES,
        ]
        epilog = "\n\n".join(filter(None, parts))
        return super().create_parser(prog_name, subcommand, epilog=epilog, formatter_class=ExampleFormatter, **kwargs)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("collection", help="the collection's short name, as in its address")
        parser.add_argument("file", type=Path, help="the file, plain or gzip; - for the standard input")
        parser.add_argument("--dry-run", action="store_true", help="say what would be stored, and store nothing")
        parser.add_argument(
            "--format", dest="form", default="", help="what to read the file as; without it, what its content says"
        )
        parser.add_argument(
            "--columns",
            nargs="+",
            action="extend",
            default=[],
            metavar="MEANING=COLUMN",
            help="which column or key of the file holds what, where its name does not say so: docno=passage",
        )
        parser.add_argument(
            "--json", dest="as_json", action="store_true", help="say what came of it as one JSON object"
        )

    def handle(
        self,
        *,
        collection: str,
        file: Path,
        dry_run: bool,
        form: str,
        columns: list[str],
        as_json: bool,
        **options: Any,
    ) -> None:
        target, watch = collection_of(collection), Progress(self.stderr)
        answers = {name: options[name] for name in self.options if name in options}
        self._require_form(form)
        answers |= {"format": form, "columns": columns_of(columns)}
        try:
            record = self._finish(self._checked(target, file, watch, answers), watch, dry_run=dry_run)
        except JobRefusedError as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        finally:
            watch.end()
            sweep_imports()
        self._tell(record, dry_run=dry_run, as_json=as_json)

    def _require_form(self, name: str) -> None:
        names = [each.name for each in formats_of(self.kind)]
        if name and name not in names:
            raise CommandError(f"There is no form {name}; there are {', '.join(names)}.", returncode=MISUSED)

    def _checked(self, target: Collection, file: Path, watch: Progress, answers: dict[str, Any]) -> Import:
        with opened(file) as stream:
            name = STDIN if stream is sys.stdin.buffer else file.name
            return upload_here(
                target, kind=self.kind, stream=stream, filename=name, created_by=None, watch=watch, **answers
            )

    def _finish(self, record: Import, watch: Progress, *, dry_run: bool) -> Import:
        """Store what has no problem; of what was only tried nothing stays."""
        if dry_run:
            discard_import(record)
        elif not record.n_problems:
            self._refuse_unsaid(record)
            return publish_here(record, actor=None, watch=watch)
        return record

    def _refuse_unsaid(self, record: Import) -> None:
        """What would be corrected is said first, and done when it is asked for."""
        if asks_first(record):
            discard_import(record)
            notes = "\n".join(record.preview["notes"])
            raise CommandError(f"{notes}\nNothing was stored: --correct stores it.", returncode=REFUSED)

    def _tell(self, record: Import, *, dry_run: bool, as_json: bool) -> None:
        """Say what came of it, and end the command if the file was refused."""
        if as_json:
            self.stdout.write(json.dumps(outcome(record, dry_run=dry_run), ensure_ascii=False))
        if record.n_problems:
            if not as_json:
                tell_problems(self.stderr, record.problems)
            raise problems_error(record.n_problems)
        if not as_json:
            self.stdout.write(summary(record, stored=not dry_run))
            if dry_run and asks_first(record):
                self.stdout.write("it needs --correct")


def tell_problems(stderr: OutputWrapper, problems: Sequence[Mapping[str, Any]]) -> None:
    """Each on its line, then which options help."""
    for problem in problems:
        stderr.write(str(Problem(**problem)))
    for option in advice(problem["reason"] for problem in problems):
        stderr.write(option)


def problems_error(n: int) -> CommandError:
    return CommandError(f"{n} problem{'s' if n > 1 else ''}; nothing was stored.", returncode=REFUSED)


def advice(reasons: Iterable[str]) -> list[str]:
    """A line for each option that would answer one of the reasons."""
    texts = list(reasons)
    return [option for words, option in OPTIONS.items() if any(words in reason for reason in texts)]


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


def opened(file: Path) -> AbstractContextManager[BinaryIO]:
    if str(file) == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return file.open("rb")
    except OSError as fault:
        raise CommandError(f"{file}: {fault.strerror}", returncode=MISUSED) from fault


def columns_of(pairs: list[str]) -> dict[str, str]:
    """`["docno=passage"]` → `{"docno": "passage"}`."""
    columns = dict(pair.partition("=")[::2] for pair in pairs)
    if not all(columns) or not all(columns.values()):
        raise CommandError("--columns takes MEANING=COLUMN, as in docno=passage.", returncode=MISUSED)
    return columns


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
