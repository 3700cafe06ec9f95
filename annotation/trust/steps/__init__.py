"""The flow of this subject, in verbs; transactions live here."""

from annotation.trust.steps.deletion import SnapshotUsedError, delete_snapshot
from annotation.trust.steps.exclusions import ExclusionError, reinstate_annotator
from annotation.trust.steps.pausing import PauseError, hold_or_go_on, keep_paused, resume_annotator
from annotation.trust.steps.policies import store_policy
from annotation.trust.steps.rules import sweep_rules
from annotation.trust.steps.snapshots import FreezeError, freezable, freeze_snapshot, verify_snapshot

__all__ = [
    "ExclusionError",
    "FreezeError",
    "PauseError",
    "SnapshotUsedError",
    "delete_snapshot",
    "freezable",
    "freeze_snapshot",
    "hold_or_go_on",
    "keep_paused",
    "reinstate_annotator",
    "resume_annotator",
    "store_policy",
    "sweep_rules",
    "verify_snapshot",
]
