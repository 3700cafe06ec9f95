"""`import qrels` under the name that it had first."""

from annotation.management.imports import ImportQrels


class Command(ImportQrels):
    alias_of = "import qrels"
