"""`export qrels` under the name that it had first."""

from annotation.management.exporting import ExportQrels


class Command(ExportQrels):
    alias_of = "export qrels"
