"""Make, change, delete and list collections."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.collections import DEEDS


class Command(GroupCommand):
    help = "Make, change, delete and list collections."
    deeds = DEEDS
