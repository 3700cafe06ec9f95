"""Gold from a file."""

import argparse

from annotation.gold.steps import ANY
from annotation.management.importing import ImportCommand
from annotation.models import Import


class Command(ImportCommand):
    help = (
        "Import gold: pairs whose grade is known. A pair that is gold with another grade is corrected with --correct."
    )
    kind = Import.Kind.GOLD
    options = ("grades", "correct")
    example = "  python manage.py import_gold bees gold.tsv --dry-run"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--grades", default="", metavar="MAP", help='what the grades of the file are on the scale: "0=0, 1=2, 2=4"'
        )
        parser.add_argument(
            "--correct",
            action="store_const",
            const=ANY,
            default="",
            help="correct pairs that are gold with another grade; --dry-run says which",
        )
