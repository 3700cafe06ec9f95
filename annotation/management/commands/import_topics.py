"""Topics from a file."""

import argparse

from annotation.management.importing import ImportCommand, add_on_conflict
from annotation.models import Import


class Command(ImportCommand):
    help = "Import topics. What the file is, its content says, or --format."
    kind = Import.Kind.TOPICS
    example = "  python manage.py import_topics bees topics.tsv --dry-run"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        add_on_conflict(parser, "topic")
