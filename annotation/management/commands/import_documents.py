"""`import documents` under the name that it had first."""

from annotation.management.imports import ImportDocuments


class Command(ImportDocuments):
    alias_of = "import documents"
