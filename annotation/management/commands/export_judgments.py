"""Raw judgments of a collection, to a file or the standard output."""

import argparse
from typing import Any

from annotation.exchange.read import JUDGMENT_FORMATS, Outgoing, outgoing_judgments
from annotation.exchange.steps import note_names_taken
from annotation.management.exporting import ExportCommand
from annotation.models import Collection


class Command(ExportCommand):
    help = "Write every judgment of a collection, revisions and surplus too, under pseudonyms."
    formats = JUDGMENT_FORMATS
    examples = (
        "  python manage.py export_judgments bees > judgments.csv\n"
        "  python manage.py export_judgments bees --format parquet --output judgments.parquet"
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
