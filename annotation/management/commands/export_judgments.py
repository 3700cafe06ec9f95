"""`export judgments` under the name that it had first."""

from annotation.management.exporting import ExportJudgments


class Command(ExportJudgments):
    alias_of = "export judgments"
