"""`export bundle` under the name that it had first."""

from annotation.management.bundle_export import ExportBundle


class Command(ExportBundle):
    alias_of = "export bundle"
