"""Files of a collection as commands: qrels, pairs that dropped out, judgments, gold."""

import argparse
from typing import Any

from annotation.exchange.read.exports import (
    JUDGMENT_FORMATS,
    QRELS_FORMATS,
    Outgoing,
    outgoing_dropped,
    outgoing_gold,
    outgoing_judgments,
    outgoing_qrels,
)
from annotation.exchange.steps.exporting import note_names_taken
from annotation.kernel.commands.base import RefusedError
from annotation.kernel.commands.exporting import ExportCommand
from annotation.kernel.commands.naming import snapshot_named
from annotation.models import Collection


class ExportQrels(ExportCommand):
    help = (
        "Write the qrels of a snapshot. trec is what evaluation tools read; beir is a zip that brings the texts along; "
        "jsonl, csv and parquet add confidence, counts and source; quepid is what Quepid takes as ratings; datasets is "
        "a zip that `datasets`, MTEB and ir_datasets read from disk, with a datasheet (Croissant) and a citation."
    )
    formats = QRELS_FORMATS
    examples = (
        'touchstone export qrels bees "first round" > qrels.txt',
        'touchstone export qrels bees "first round" --format beir -o bees.zip',
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("snapshot", help="the name of the snapshot")

    def outgoing(self, collection: Collection, form: str, **options: Any) -> Outgoing:
        return outgoing_qrels(snapshot_named(collection, options["snapshot"]), form)


class ExportDropped(ExportCommand):
    help = "Write the pairs that a frozen snapshot leaves out, each with the reason and its grades."
    formats = ("jsonl",)
    examples = ('touchstone export dropped bees "first round" -o dropped.jsonl',)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("snapshot", help="the name of the snapshot")

    def outgoing(self, collection: Collection, form: str, **options: Any) -> Outgoing:
        dropped = outgoing_dropped(snapshot_named(collection, options["snapshot"]))
        if dropped is None:
            raise RefusedError("Imported qrels have dropped nothing.")
        return dropped


class ExportGold(ExportCommand):
    help = "Write gold as it stands, as `import gold` takes it."
    formats = ("jsonl",)
    examples = ("touchstone export gold bees -o gold.jsonl",)

    def outgoing(self, collection: Collection, form: str, **options: Any) -> Outgoing:
        return outgoing_gold(collection)


class ExportJudgments(ExportCommand):
    help = "Write every judgment of a collection, revisions and surplus too, under pseudonyms."
    formats = JUDGMENT_FORMATS
    examples = (
        "touchstone export judgments bees > judgments.csv",
        "touchstone export judgments bees --format parquet -o judgments.parquet",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--named",
            action="store_true",
            help="with the account beside each pseudonym; stands in the collection's record",
        )

    def outgoing(self, collection: Collection, form: str, **options: Any) -> Outgoing:
        if options["named"]:
            note_names_taken(collection, form=form, actor=None)
        return outgoing_judgments(collection, form, named=options["named"])
