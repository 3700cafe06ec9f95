"""Make qualification rounds, fill them with pairs, open and close them."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.rounds import DEEDS


class Command(GroupCommand):
    help = "Make qualification rounds, fill them with pairs, open and close them."
    deeds = DEEDS
