"""Figures of a collection watched over time."""

from annotation.kernel.commands.group import GroupCommand
from evaluation.management.series import DEEDS


class Command(GroupCommand):
    help = "Watch figures over time: begin a series, bring points, look at it, see to its alerts. docs/series.md."
    deeds = DEEDS
