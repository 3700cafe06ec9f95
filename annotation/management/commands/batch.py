"""Batches, from draft to close."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.batches import DEEDS


class Command(GroupCommand):
    help = (
        "Draft, lay out, open, pause and close batches. As before there were other deeds, "
        "`batch COLLECTION NAME --pool POOL` is `batch new`."
    )
    deeds = DEEDS
    usual = "new"
