"""Gold from a file."""

from annotation.management.importing import ImportCommand
from annotation.models import Import


class Command(ImportCommand):
    help = "Import gold: pairs whose grade is known. A pair that is gold with another grade is corrected."
    kind = Import.Kind.GOLD
    example = "  python manage.py import_gold bees gold.tsv --dry-run"
