"""See, store and compare policies."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.policies import DEEDS


class Command(GroupCommand):
    help = "See, store and compare policies."
    deeds = DEEDS
