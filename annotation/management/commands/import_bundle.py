"""`import bundle` under the name that it had first."""

from annotation.management.bundles import ImportBundle


class Command(ImportBundle):
    alias_of = "import bundle"
