"""Judging: claim, grade, skip, put off, undo, under leases and tokens. Each step is one short transaction.

Every step locks the person's `Participation` first (on SQLite the transaction itself is exclusive), so that one
person's tabs and retries take turns; different people meet only at the slots.
"""

from annotation.workflow.judging.claiming import claim_next
from annotation.workflow.judging.desk import Desk, desk_at, desk_of
from annotation.workflow.judging.gates import acknowledge_guideline, gate_before, give_consent, guideline_of_judgment
from annotation.workflow.judging.grading import Asked, Outcome, Recorded, Refused, record_judgment
from annotation.workflow.judging.leases import LEASE, release_next, renew_lease
from annotation.workflow.judging.place import Place
from annotation.workflow.judging.putting_off import put_off, skip_item
from annotation.workflow.judging.qualifying import answer_pair, begin_attempt
from annotation.workflow.judging.sessions import break_until
from annotation.workflow.judging.undo import keep_grade, reopen, undo_available

__all__ = [
    "LEASE",
    "Asked",
    "Desk",
    "Outcome",
    "Place",
    "Recorded",
    "Refused",
    "acknowledge_guideline",
    "answer_pair",
    "begin_attempt",
    "break_until",
    "claim_next",
    "desk_at",
    "desk_of",
    "gate_before",
    "give_consent",
    "guideline_of_judgment",
    "keep_grade",
    "put_off",
    "record_judgment",
    "release_next",
    "renew_lease",
    "reopen",
    "skip_item",
    "undo_available",
]
