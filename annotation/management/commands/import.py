"""Files in, of any kind."""  # noqa: N999 -- the command is called so

from annotation.kernel.commands.group import GroupCommand
from annotation.management.imports import KINDS


class Command(GroupCommand):
    help = "Bring files into a collection, or a whole collection: each kind has its own options."
    deeds = KINDS
