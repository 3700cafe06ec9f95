"""What a collection does not need any more, of any kind."""

from collections.abc import Mapping
from types import MappingProxyType

from annotation.kernel.commands.base import TouchstoneCommand
from annotation.kernel.commands.group import GroupCommand
from annotation.management.deleting import DeletePool, DeleteSnapshot
from evaluation.management.deleting import DeleteClicks, DeleteDescription, DeleteRun


class Command(GroupCommand):
    help = "Delete a run, a pool or imported qrels on which nothing rests; clicks; a description."
    deeds: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
        {
            "run": DeleteRun,
            "pool": DeletePool,
            "snapshot": DeleteSnapshot,
            "clicks": DeleteClicks,
            "description": DeleteDescription,
        }
    )
