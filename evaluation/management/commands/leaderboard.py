"""Evaluate runs of a collection and see the leaderboard."""

from annotation.kernel.commands.group import GroupCommand
from evaluation.management.leaderboard import DEEDS


class Command(GroupCommand):
    help = "Evaluate runs of a collection against a snapshot, see their means, pool what is unjudged."
    deeds = DEEDS
