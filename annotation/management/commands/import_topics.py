"""`import topics` under the name that it had first."""

from annotation.management.imports import ImportTopics


class Command(ImportTopics):
    alias_of = "import topics"
