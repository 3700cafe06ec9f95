"""See and set aside what goes wrong in batches under way."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.alerts import DEEDS


class Command(GroupCommand):
    help = "See what goes wrong in batches under way, and set it aside with a note."
    deeds = DEEDS
