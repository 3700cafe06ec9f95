"""What the export commands have in common: where the file goes, and what is said of it."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.formats.atomic_output import write_out
from annotation.kernel.files import Outgoing
from annotation.management.answering import MISUSED, REFUSED, AnsweringCommand, collection_of
from annotation.models import Collection

EXIT_CODES = """\
  0  written
  1  not written, or not whole: nothing is left under the name of the file
  2  the command cannot be carried out as given: no such collection or snapshot, an unknown option or form"""


class ExportCommand(AnsweringCommand):
    """A subclass names its formats, the first of which is the usual one, gives examples, and says what goes out."""

    formats: Sequence[str]
    exit_codes = EXIT_CODES

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("collection", help="the collection's short name, as in its address")
        parser.add_argument("--format", dest="form", choices=self.formats, default=self.formats[0])
        parser.add_argument("--output", type=Path, help="the file to write; without it, the standard output")
        parser.add_argument("--force", action="store_true", help="replace the file if it is there")
        parser.add_argument(
            "--json",
            action="store_true",
            dest="as_json",
            help="say what was written as JSON, on the standard error where the file itself goes to the output",
        )

    def outgoing(self, collection: Collection, form: str, **options: Any) -> Outgoing:
        """What is to be written."""
        raise NotImplementedError

    def handle(
        self, *, collection: str, form: str, output: Path | None, force: bool, as_json: bool, **options: Any
    ) -> None:
        source = collection_of(collection)
        if output and output.exists() and not force:
            raise CommandError(f"{output}: there is such a file already; --force replaces it.", returncode=MISUSED)
        file = self.outgoing(source, form, **options)
        try:
            written = write_out(file.pieces, output, replace=force)
        except OSError as fault:
            raise CommandError(f"{fault.filename or output}: {fault.strerror}", returncode=REFUSED) from fault
        if output or as_json:
            summary = written.as_json() if as_json else written.in_words()
            (self.stdout if output else self.stderr).write(summary, style_func=str)
