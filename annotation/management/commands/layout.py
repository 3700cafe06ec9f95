"""`batch lay-out` under the name that it had first."""

from annotation.management.layout import LayOut


class Command(LayOut):
    alias_of = "batch lay-out"
