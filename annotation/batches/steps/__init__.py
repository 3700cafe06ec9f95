"""The flow of this subject, in verbs; transactions live here."""

from annotation.batches.steps.batches import BatchSettings, close_batch, create_batch, open_batch
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
    "BatchSettings",
    "DryRun",
    "LayoutError",
    "QualificationSettings",
    "add_pair",
    "close_batch",
    "create_batch",
    "create_qualification",
    "dry_run",
    "lay_out",
    "open_batch",
    "open_qualification",
    "sweep_overlap",
]
