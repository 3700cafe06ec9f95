"""The last word on a pair: read blind, then decided with all that people said in view."""

from annotation.review.steps.adjudication.decisions import decide, withdraw_decision
from annotation.review.steps.adjudication.readings import (
    AdjudicationError,
    grade_blind,
    leave_pair,
    look_at_pair,
    open_next,
    open_pair,
)
from annotation.review.steps.adjudication.sending import Sending, send_pairs, sending_of

__all__ = [
    "AdjudicationError",
    "Sending",
    "decide",
    "grade_blind",
    "leave_pair",
    "look_at_pair",
    "open_next",
    "open_pair",
    "send_pairs",
    "sending_of",
    "withdraw_decision",
]
