"""`import judgments` under the name that it had first."""

from annotation.management.imports import ImportJudgments


class Command(ImportJudgments):
    alias_of = "import judgments"
