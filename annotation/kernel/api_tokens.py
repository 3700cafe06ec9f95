"""API tokens: made, listed, used, revoked. A token is shown once; its hash and first characters are kept."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.kernel.audit import record_audit
from annotation.models import ApiToken, User
from annotation.models.prepared import WORD, Blank, Rows
from annotation.models.tokens import hash_secret, new_secret

_USE_NOTED_EVERY = timedelta(minutes=1)  # last use is for people to look at: no write with every request
_WITH_HASH = Rows(  # asked at every request of a program
    lambda: ApiToken.objects.filter(
        secret_hash=Blank("hash", WORD), revoked_at=None, user__is_active=True
    ).select_related("user")
)


@transaction.atomic
def make_api_token(
    person: User, *, name: str, scope: str = ApiToken.Scope.ADMIN, expires_at: datetime | None = None
) -> str:
    secret = new_secret()
    ApiToken.objects.create(
        user=person,
        name=name,
        prefix=secret[:8],
        secret_hash=hash_secret(secret),
        scope=scope,
        expires_at=expires_at,
    )
    record_audit("API token made", actor=person, collection=None, subject=secret[:8], scope=scope)
    return secret


def last_moment(days: int | None) -> datetime | None:
    """When a token made now expires; None for never."""
    return timezone.now() + timedelta(days=days) if days else None


@transaction.atomic
def revoke_api_token(person: User, *, prefix: str) -> bool:
    """Whether one of the person's tokens began with `prefix` and was still good."""
    if not ApiToken.objects.filter(user=person, prefix=prefix, revoked_at=None).update(revoked_at=timezone.now()):
        return False
    record_audit("API token revoked", actor=person, collection=None, subject=prefix)
    return True


@transaction.atomic
def revoke_all_api_tokens(person: User) -> None:
    for prefix in ApiToken.objects.filter(user=person, revoked_at=None).values_list("prefix", flat=True):
        revoke_api_token(person, prefix=prefix)


def api_tokens_of(person: User) -> QuerySet[ApiToken]:
    """Tokens that still work first, then revoked ones; each kind newest first."""
    return ApiToken.objects.filter(user=person).order_by("revoked_at", "-pk")


def token_with(secret: str) -> ApiToken | None:
    """The token, expired or not; None for one that is unknown or revoked, or of a closed account."""
    return _WITH_HASH.first(hash=hash_secret(secret))


def note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - _USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
