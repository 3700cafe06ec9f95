"""Pairs to judge from a file, as a pool."""

import argparse

from annotation.management.importing import ImportCommand, add_unknown
from annotation.models import Import


class Command(ImportCommand):
    help = "Import pairs to judge as a pool."
    kind = Import.Kind.PAIRS
    example = "  python manage.py import_pairs bees pairs.txt --name 'depth 10'"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--name", required=True, help="what the pool is called")
        add_unknown(parser)
