"""Make, list and revoke API tokens of a person."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.tokens import DEEDS


class Command(GroupCommand):
    help = "Make, list and revoke API tokens of a person."
    deeds = DEEDS
