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
from annotation.people.steps.invitations import INVITATION_DAYS, make_invitations, withdraw_invitation
from annotation.people.steps.members import (
    LastAdminError,
    add_role,
    change_roles,
    end_participation,
    remove_member,
)

__all__ = [
    "INVITATION_DAYS",
    "LINK_DAYS",
    "KindError",
    "LastAdminError",
    "add_role",
    "allow_creating_collections",
    "change_roles",
    "create_account",
    "end_participation",
    "make_invitations",
    "make_password_link",
    "make_sign_in_link",
    "remove_member",
    "revise_information",
    "set_kind",
    "withdraw_invitation",
]
