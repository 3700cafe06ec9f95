"""The flow of this subject, in verbs; transactions live here."""

from annotation.batches.steps.batches import (
    BatchError,
    BatchSettings,
    assign_annotators,
    close_batch,
    create_batch,
    delete_batch,
    open_batch,
    pause_batch,
    reopen_batch,
    unassign_annotator,
)
from annotation.batches.steps.layout import DryRun, LayoutError, dry_run, lay_out
from annotation.batches.steps.overlap import KIND, sweep_overlap
from annotation.batches.steps.qualifications import (
    QualificationSettings,
    add_pair,
    create_qualification,
    open_qualification,
)

__all__ = [
    "KIND",
    "BatchError",
    "BatchSettings",
    "DryRun",
    "LayoutError",
    "QualificationSettings",
    "add_pair",
    "assign_annotators",
    "close_batch",
    "create_batch",
    "create_qualification",
    "delete_batch",
    "dry_run",
    "lay_out",
    "open_batch",
    "open_qualification",
    "pause_batch",
    "reopen_batch",
    "sweep_overlap",
    "unassign_annotator",
]
