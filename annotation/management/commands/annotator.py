"""Say whom to believe and who gets cards."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.annotators import DEEDS


class Command(GroupCommand):
    help = "Exclude, pause and bring back annotators; say which are machines."
    deeds = DEEDS
