"""`export run` under the name that it had first."""

from evaluation.management.exporting import ExportRun


class Command(ExportRun):
    alias_of = "export run"
