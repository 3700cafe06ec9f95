"""What the commands have in common that delete a thing of a collection."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from annotation.kernel.commands.base import DONE, REFUSED, TouchstoneCommand
from annotation.kernel.commands.naming import add_collection, add_dry_run, attempt, collection_named
from annotation.models import Collection


class DeleteCommand(TouchstoneCommand):
    """A subclass deletes things of one kind by their names."""

    noun = ""
    named_by = "name"
    refusals: tuple[type[Exception], ...] = ()
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "deleted, or with --dry-run: could be deleted", REFUSED: "refused: something rests on it, and it stays"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("name", help=f"the {self.noun} by its {self.named_by}")
        add_dry_run(parser)

    def delete(self, collection: Collection, name: str) -> None:
        """Raises `MisuseError` where there is no such thing, and one of `refusals`."""
        raise NotImplementedError

    def handle(self, *, collection: str, name: str, dry_run: bool, **_options: object) -> None:
        here = collection_named(collection)
        with attempt(*self.refusals, dry_run=dry_run):
            self.delete(here, name)
        words = f"{'would be deleted' if dry_run else 'deleted'}: {self.noun} {name}"
        self.answer(words, {"kind": self.noun, "name": name, "stored": not dry_run})
