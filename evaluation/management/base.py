"""What commands that work on a collection share: help with examples, the collection they name, exit codes."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, DjangoHelpFormatter

from annotation.models import Collection

REFUSED, MISUSED = 1, 2  # exit codes


class ExampleFormatter(DjangoHelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Examples stand as they are written."""


class CollectionCommand(BaseCommand):
    """A subclass names its examples and exit codes, with which its help ends."""

    help_end: str

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        return super().create_parser(
            prog_name, subcommand, epilog=self.help_end, formatter_class=ExampleFormatter, **kwargs
        )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("collection", help="the collection's short name, as in its address")


def collection_named(slug: str) -> Collection:
    collection = Collection.objects.filter(slug=slug).first()
    if collection is None:
        raise CommandError(f"There is no collection {slug}.", returncode=MISUSED)
    return collection
