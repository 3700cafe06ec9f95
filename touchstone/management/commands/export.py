"""Files out, of any kind."""

from collections.abc import Mapping
from types import MappingProxyType

from annotation.kernel.commands.base import TouchstoneCommand
from annotation.kernel.commands.group import GroupCommand
from annotation.management.bundle_export import ExportBundle
from annotation.management.exporting import ExportDropped, ExportGold, ExportJudgments, ExportQrels
from evaluation.management.exporting import ExportRun


class Command(GroupCommand):
    help = "Write what a collection holds into a file, or to the standard output."
    deeds: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
        {
            "qrels": ExportQrels,
            "dropped": ExportDropped,
            "judgments": ExportJudgments,
            "gold": ExportGold,
            "run": ExportRun,
            "bundle": ExportBundle,
        }
    )
