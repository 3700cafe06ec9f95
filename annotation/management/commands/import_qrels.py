"""Qrels from a file, as a snapshot."""

import argparse

from annotation.management.importing import ImportCommand, add_grades
from annotation.models import Import


class Command(ImportCommand):
    help = "Import qrels as a snapshot. Topics and documents need not be there."
    kind = Import.Kind.QRELS
    example = "  python manage.py import_qrels bees qrels.txt --name official --grades '2=1, 4=2, 8=3, 16=4'"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--name", required=True, help="what the snapshot is called")
        add_grades(parser)
