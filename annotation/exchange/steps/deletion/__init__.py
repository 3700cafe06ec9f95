"""Deleting a whole collection in which nobody has worked: hidden at once, cleared away by a job."""

from annotation.exchange.steps.deletion.deleting import (
    CollectionUsedError,
    delete_here,
    run_deletion,
    start_deletion,
    sweep_deletions,
)

__all__ = ["CollectionUsedError", "delete_here", "run_deletion", "start_deletion", "sweep_deletions"]
