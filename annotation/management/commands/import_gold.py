"""Gold from a file."""

import argparse

from annotation.gold.steps import ANY
from annotation.management.importing import ImportCommand, add_grades, add_unknown
from annotation.models import Import


class Command(ImportCommand):
    help = (
        "Import gold: pairs whose grade is known. A pair that is gold with another grade is corrected with --correct."
    )
    kind = Import.Kind.GOLD
    options = ("grades", "unknown", "correct")
    example = "  python manage.py import_gold bees gold.tsv --dry-run"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        add_grades(parser)
        add_unknown(parser)
        parser.add_argument(
            "--correct",
            action="store_const",
            const=ANY,
            default="",
            help="correct pairs that are gold with another grade; --dry-run says which",
        )
