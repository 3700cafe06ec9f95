"""See and change the settings of a collection."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.settings import DEEDS


class Command(GroupCommand):
    help = "See and change thresholds of alerts, the watch on critical errors and pausing rules of a collection."
    deeds = DEEDS
