"""What the export commands have in common: where the file goes, and what is said of it."""

import argparse
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output, written
from annotation.kernel.commands.naming import add_collection, collection_named
from annotation.kernel.files import Outgoing
from annotation.models import Collection


class ExportCommand(TouchstoneCommand):
    """A subclass names its formats, the first of which is the usual one, and says what goes out.

    With --json what was written is said on the standard error where the file itself goes to the output.
    """

    formats: Sequence[str]
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "written", REFUSED: "not written, or not whole: nothing is left under the name of the file"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("--format", dest="form", choices=self.formats, default=self.formats[0])
        add_output(parser)

    def outgoing(self, collection: Collection, form: str, **options: Any) -> Outgoing:
        """What is to be written."""
        raise NotImplementedError

    def handle(self, *, collection: str, form: str, output: str | None, force: bool, **options: Any) -> None:
        source = collection_named(collection)
        target = checked_output(output, force=force)
        file = written(self.outgoing(source, form, **options).pieces, target, force=force)
        if target or self.as_json:
            summary = file.as_json() if self.as_json else file.in_words()
            (self.stdout if target else self.stderr).write(summary, style_func=str)
