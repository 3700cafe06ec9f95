"""See who belongs to a collection, invite people, give them roles, let them in again."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.people import DEEDS


class Command(GroupCommand):
    help = "See who belongs to a collection, invite people, give them roles, let them in again."
    deeds = DEEDS
