"""`import bundle` under the name that it had first."""

from annotation.management.bundle_import import ImportBundle


class Command(ImportBundle):
    alias_of = "import bundle"
