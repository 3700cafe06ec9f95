"""`import run` under the name that it had first."""

from annotation.management.imports import ImportRun


class Command(ImportRun):
    alias_of = "import run"
