"""Accounts: one-time links that stand in for a mail, and passwords.

Only the hash of a link's secret is kept, and it is found by that hash: no answer and no timing
tells how near a guess was.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.kernel.access import may_reset_password
from annotation.kernel.api_tokens import revoke_all_api_tokens
from annotation.kernel.audit import record_audit
from annotation.models import Collection, SignInLink, User
from annotation.models.tokens import hash_secret, new_secret

LINK_DAYS = 3


class LinkGoneError(Exception):
    """The link is unknown, used, withdrawn or too old. Which of these it is, nobody is told."""


@transaction.atomic
def create_account(username: str, *, password: str | None = None, may_create_collections: bool = False) -> User:
    """A new person. Without a password they can come in by a one-time link only."""
    user = User.objects.create_user(username, password=password, may_create_collections=may_create_collections)
    record_audit("account created", actor=user, collection=None, subject=username)
    return user


@transaction.atomic
def allow_creating_collections(person: User) -> None:
    """For the operator's command: no page grants this."""
    if not person.may_create_collections:
        person.may_create_collections = True
        person.save(update_fields=["may_create_collections"])
        record_audit("may create collections", actor=None, collection=None, subject=person.username)


@transaction.atomic
def make_sign_in_link(person: User, *, actor: User | None = None, days: int = LINK_DAYS) -> str:
    """The secret of a link that signs the person in once. For commands: no page makes such a link."""
    secret = _new_link(person, SignInLink.Purpose.SIGN_IN, actor=actor, days=days)
    record_audit("sign-in link made", actor=actor, collection=None, subject=person.username)
    return secret


@transaction.atomic
def make_password_link(
    person: User, *, actor: User | None, collection: Collection | None, days: int = LINK_DAYS
) -> str:
    """The secret of a link by which the person chooses a new password. It replaces the ones made before.

    `actor` is None when the operator makes it on the server. The caller has asked `may_reset_password`.
    """
    _open_links(person).filter(purpose=SignInLink.Purpose.PASSWORD).update(expires_at=timezone.now())
    secret = _new_link(person, SignInLink.Purpose.PASSWORD, actor=actor, days=days)
    record_audit("password link made", actor=actor, collection=collection, subject=person.username)
    return secret


def live_link(secret: str, purpose: str) -> SignInLink | None:
    """The link while it can still be used.

    A password link lives only as long as its maker may make it: once the person gained a role where the maker has no
    say, it must not open their account.
    """
    link = (
        SignInLink.objects.filter(secret_hash=hash_secret(secret), purpose=purpose, used_at=None, user__is_active=True)
        .filter(expires_at__gt=timezone.now())
        .select_related("user", "created_by")
        .first()
    )
    if link and link.created_by and purpose == SignInLink.Purpose.PASSWORD:
        return link if may_reset_password(link.created_by, link.user) else None
    return link


@transaction.atomic
def use_sign_in_link(secret: str) -> User:
    """Who may now be signed in. Works once, however many try at the same moment. Raises `LinkGoneError`."""
    person = _spend(secret, SignInLink.Purpose.SIGN_IN)
    record_audit("signed in by link", actor=person, collection=None, subject=person.username)
    return person


@transaction.atomic
def use_password_link(secret: str, *, password: str) -> User:
    """Set the new password, once. Raises `LinkGoneError`."""
    person = _spend(secret, SignInLink.Purpose.PASSWORD)
    set_password(person, password=password)
    return person


@transaction.atomic
def set_password(person: User, *, password: str) -> None:
    """Every session of the person ends with the old password, and so does every open link and every API token."""
    person.set_password(password)
    person.save(update_fields=["password"])
    _open_links(person).update(expires_at=timezone.now())
    revoke_all_api_tokens(person)
    record_audit("password changed", actor=person, collection=None, subject=person.username)


def _new_link(person: User, purpose: str, *, actor: User | None, days: int) -> str:
    secret = new_secret()
    expires_at = timezone.now() + timedelta(days=days)
    SignInLink.objects.create(
        user=person, purpose=purpose, secret_hash=hash_secret(secret), created_by=actor, expires_at=expires_at
    )
    return secret


def _spend(secret: str, purpose: str) -> User:
    link = live_link(secret, purpose)
    now = timezone.now()
    if link is None or not SignInLink.objects.filter(pk=link.pk, used_at=None, expires_at__gt=now).update(used_at=now):
        raise LinkGoneError
    return link.user


def _open_links(person: User) -> QuerySet[SignInLink]:
    return SignInLink.objects.filter(user=person, used_at=None, expires_at__gt=timezone.now())
