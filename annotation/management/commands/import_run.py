"""A run from a file."""

import argparse

from annotation.management.importing import ImportCommand
from annotation.models import Import


class Command(ImportCommand):
    help = "Import a run. Topics and documents need not be there."
    kind = Import.Kind.RUN
    example = "  python manage.py import_run bees bm25.run.gz --tag bm25"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--tag", default="", help="what the run is called, instead of the tag in the file")
        parser.add_argument("--description", default="", help="a line or two about the run")
