"""Have the last word on contested pairs."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.adjudication import DEEDS


class Command(GroupCommand):
    help = "See contested pairs and decide on them: your own grade first, then with what people said in view."
    deeds = DEEDS
