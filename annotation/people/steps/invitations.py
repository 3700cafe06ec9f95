"""Invitations: the only way into a collection, and the only way to a new account."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.kernel.audit import record_audit
from annotation.kernel.notices import tell
from annotation.models import Collection, Invitation, User
from annotation.models.tokens import hash_secret, new_secret
from annotation.people.steps.accounts import LinkGoneError, create_account
from annotation.people.steps.members import add_role

INVITATION_DAYS = 14


@transaction.atomic
def make_invitations(
    collection: Collection, *, role: str, notes: Sequence[str], actor: User, days: int = INVITATION_DAYS
) -> list[tuple[Invitation, str]]:
    """One invitation a note, each with the secret of its link. The secrets are kept nowhere: show them now or never."""
    if not notes:
        raise ValueError("no invitation asked for")
    expires_at = timezone.now() + timedelta(days=days)
    invitations = [
        _new_invitation(collection, role=role, note=note, actor=actor, expires_at=expires_at) for note in notes
    ]
    record_audit(
        "invitations made", actor=actor, collection=collection, role=str(role), invitations=len(notes), days=days
    )
    return invitations


def live_invitation(secret: str) -> Invitation | None:
    """The invitation while it can still be used."""
    return _live(secret).select_related("collection", "created_by").first()


@transaction.atomic
def withdraw_invitation(invitation: Invitation, *, actor: User) -> bool:
    """Whether it was still there to be withdrawn."""
    pending = Invitation.objects.filter(pk=invitation.pk, used_at=None, withdrawn_at=None)
    if not pending.update(withdrawn_at=timezone.now()):
        return False
    record_audit("invitation withdrawn", actor=actor, collection=invitation.collection, subject=invitation.note)
    return True


@transaction.atomic
def join_by_invitation(secret: str, *, person: User) -> Collection:
    """Give the person the invitation's role. Works once, whoever else tries. Raises `LinkGoneError`."""
    return _join(_spend(secret), person)


@transaction.atomic
def join_with_new_account(secret: str, *, username: str, password: str) -> User:
    """Make the account and give it the invitation's role.

    Raises `LinkGoneError`; `IntegrityError` for a name that was just taken.
    """
    invitation = _spend(secret)
    person = create_account(username, password=password)
    _join(invitation, person)
    return person


def _new_invitation(
    collection: Collection, *, role: str, note: str, actor: User, expires_at: datetime
) -> tuple[Invitation, str]:
    secret = new_secret()
    invitation = Invitation.objects.create(
        collection=collection,
        role=role,
        note=note,
        secret_hash=hash_secret(secret),
        created_by=actor,
        expires_at=expires_at,
    )
    return invitation, secret


def _live(secret: str) -> QuerySet[Invitation]:
    return Invitation.objects.filter(
        secret_hash=hash_secret(secret), used_at=None, withdrawn_at=None, expires_at__gt=timezone.now()
    )


def _spend(secret: str) -> Invitation:
    """Mark the invitation used before anything else is done: a second visitor waits here and then finds it gone."""
    if not _live(secret).update(used_at=timezone.now()):
        raise LinkGoneError
    return Invitation.objects.select_related("collection").get(secret_hash=hash_secret(secret))


def _join(invitation: Invitation, person: User) -> Collection:
    invitation.used_by = person
    invitation.save(update_fields=["used_by"])
    add_role(invitation.collection, person, role=invitation.role, actor=person)
    record_audit("invitation used", actor=person, collection=invitation.collection, subject=invitation.note)
    tell(
        "invitation",
        {invitation.created_by_id} - {person.pk},
        cause=f"invitation {invitation.pk}",
        text=f"{person} has accepted an invitation as {invitation.role}.",
        collection=invitation.collection,
        username=person.username,
    )
    return invitation.collection
