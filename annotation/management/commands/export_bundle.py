"""`export bundle` under the name that it had first."""

from annotation.management.bundles import ExportBundle


class Command(ExportBundle):
    alias_of = "export bundle"
