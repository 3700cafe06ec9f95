"""Batches, from draft to close."""

from annotation.kernel.commands.group import GroupCommand
from annotation.management.batches import DEEDS


class Command(GroupCommand):
    help = (
        "Draft, lay out, open, pause and close batches. `batch COLLECTION NAME --pool POOL`, as it was at first, "
        "is `batch new`."
    )
    deeds = DEEDS
    usual = "new"
