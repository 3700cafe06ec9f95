"""Qrels of a snapshot, to a file or the standard output."""

import argparse
from typing import Any

from annotation.exchange.read import QRELS_FORMATS, Outgoing, outgoing_qrels
from annotation.management.answering import snapshot_named
from annotation.management.exporting import ExportCommand
from annotation.models import Collection


class Command(ExportCommand):
    help = (
        "Write the qrels of a snapshot. trec is what evaluation tools read; beir is a zip that brings the texts along; "
        "jsonl, csv and parquet add confidence, counts and source; quepid is what Quepid takes as ratings."
    )
    formats = QRELS_FORMATS
    examples = (
        '  python manage.py export_qrels bees "first round" > qrels.txt\n'
        '  python manage.py export_qrels bees "first round" --format beir --output bees.zip'
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("snapshot", help="the name of the snapshot")

    def outgoing(self, collection: Collection, form: str, **options: Any) -> Outgoing:
        return outgoing_qrels(snapshot_named(collection, options["snapshot"]), form)
