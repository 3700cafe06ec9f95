"""What changed from one snapshot of a collection to another, without storing anything."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from annotation.kernel.commands.base import DONE, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output
from annotation.kernel.commands.naming import add_collection, collection_named, snapshot_named
from evaluation.changes.pages import FORMS, as_table
from evaluation.changes.read import snapshot_changes
from evaluation.management.files import write_text


class Command(TouchstoneCommand):
    help = "Say what changed between two snapshots: what they were made from, pairs, grades, and the runs."
    examples = (
        "touchstone snapshot_changes bees 2026-10 2026-11",
        "touchstone snapshot_changes bees 2026-10 2026-11 --format csv -o changed.csv",
    )
    exits: Mapping[int, str] = MappingProxyType({DONE: "written"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("before", help="the name of a snapshot")
        parser.add_argument("after", help="the name of another")
        parser.add_argument(
            "--format", choices=["table", *FORMS], help="csv: the pairs that changed; default: table; json, with --json"
        )
        add_output(parser)

    def handle(
        self,
        *,
        collection: str,
        before: str,
        after: str,
        format: str | None,  # noqa: A002 (the option's name)
        output: str | None,
        force: bool,
        **_options: object,
    ) -> None:
        target, here = checked_output(output, force=force), collection_named(collection)
        if before == after:
            raise MisuseError("Name two snapshots.")
        changes = snapshot_changes(snapshot_named(here, before), snapshot_named(here, after))
        form = format or ("json" if self.as_json else "table")
        text = as_table(changes) if form == "table" else FORMS[form](changes)
        write_text(text, target, self.stdout, force=force)
