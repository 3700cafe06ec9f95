"""The flow of this subject, in verbs; transactions live here."""

from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import Desk, desk_at, desk_of
from annotation.judging.steps.gates import acknowledge_guideline, give_consent, guideline_of_judgment
from annotation.judging.steps.grading import Conflict, Recorded, Refused, record_judgment
from annotation.judging.steps.leases import release_next, renew_lease
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.judging.steps.qualifying import answer_pair, begin_attempt
from annotation.judging.steps.sessions import break_until
from annotation.judging.steps.undo import keep_grade, reopen

__all__ = [
    "Conflict",
    "Desk",
    "Recorded",
    "Refused",
    "acknowledge_guideline",
    "answer_pair",
    "begin_attempt",
    "break_until",
    "claim_next",
    "desk_at",
    "desk_of",
    "give_consent",
    "guideline_of_judgment",
    "keep_grade",
    "put_off",
    "record_judgment",
    "release_next",
    "renew_lease",
    "reopen",
    "skip_item",
]
