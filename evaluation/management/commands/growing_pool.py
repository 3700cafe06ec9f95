"""Pools that grow as judging goes on."""

from annotation.kernel.commands.group import GroupCommand
from evaluation.management.growing import DEEDS


class Command(GroupCommand):
    help = "Make pools that grow, see how far they are, make their next portion, write the sample that one is."
    deeds = DEEDS
