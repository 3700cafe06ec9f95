"""Set, correct and withdraw gold."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.gold import DEEDS


class Command(GroupCommand):
    help = "Set, correct and withdraw gold by hand, or take it from imported qrels. `import gold` reads a file."
    deeds = DEEDS
