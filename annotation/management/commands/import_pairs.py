"""`import pairs` under the name that it had first."""

from annotation.management.imports import ImportPairs


class Command(ImportPairs):
    alias_of = "import pairs"
