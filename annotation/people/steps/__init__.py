"""The flow of this subject, in verbs; transactions live here."""

from annotation.people.steps.accounts import (
    LINK_DAYS,
    allow_creating_collections,
    create_account,
    make_password_link,
    make_sign_in_link,
)
from annotation.people.steps.annotator_kind import KindError, set_kind
from annotation.people.steps.information import revise_information
from annotation.people.steps.members import add_role, end_participation

__all__ = [
    "LINK_DAYS",
    "KindError",
    "add_role",
    "allow_creating_collections",
    "create_account",
    "end_participation",
    "make_password_link",
    "make_sign_in_link",
    "revise_information",
    "set_kind",
]
