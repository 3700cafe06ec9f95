"""`import gold` under the name that it had first."""

from annotation.management.imports import ImportGold


class Command(ImportGold):
    alias_of = "import gold"
