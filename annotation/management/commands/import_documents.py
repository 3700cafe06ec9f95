"""Documents from a file."""

import argparse

from annotation.management.importing import ImportCommand, add_on_conflict
from annotation.models import Import


class Command(ImportCommand):
    help = "Import documents. What the file is, its content says, or --format."
    kind = Import.Kind.DOCUMENTS
    example = "  zstd -dc corpus.jsonl.zst | python manage.py import_documents bees - --columns docno=passage_id --json"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        add_on_conflict(parser, "document")
