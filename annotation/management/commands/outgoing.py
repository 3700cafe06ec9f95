"""Whom messages of a collection go to."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.outgoing import DEEDS


class Command(GroupCommand):
    help = "Add, test and end recipients of a collection's messages; list these. docs/outgoing.md."
    deeds = DEEDS
