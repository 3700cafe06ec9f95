"""Read and answer what annotators object to."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.objections import DEEDS


class Command(GroupCommand):
    help = "Read and answer what annotators object to of the gold they were told."
    deeds = DEEDS
