"""Judgments made elsewhere from a file, as a batch."""

import argparse

from annotation.management.importing import ImportCommand, add_grades
from annotation.models import Import


class Command(ImportCommand):
    help = (
        "Import judgments that were made elsewhere, as a closed batch with the people who made them. Topics and "
        "documents that are not there come in by their ids alone."
    )
    kind = Import.Kind.JUDGMENTS
    options = ("name", "annotators", "machines", "grades")
    example = (
        "  python manage.py import_judgments bees judgments.tsv --name crowd \\\n"
        "      --columns number=query_id docno=doc_id annotator=worker grade=label \\\n"
        '      --grades "0=0, 1=2, 2=4, -2=cannot" --dry-run'
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--name", default="", help="what the batch is called; without it, as the file")
        parser.add_argument(
            "--annotators",
            choices=["same", "new"],
            default="",
            help="people who came with earlier judgments under the same id are the same, or new ones with a number "
            "after it; without it such a file is refused",
        )
        parser.add_argument(
            "--machines",
            default="",
            metavar="IDS",
            help="annotators of the file that are machine judges, with commas between; * for all",
        )
        add_grades(parser)
