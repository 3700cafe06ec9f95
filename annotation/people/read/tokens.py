"""API tokens as their owner sees them."""

from django.db.models import QuerySet

from annotation.models import ApiToken, User


def api_tokens_of(person: User) -> QuerySet[ApiToken]:
    """Tokens that still work first, then revoked ones; each kind newest first."""
    return ApiToken.objects.filter(user=person).order_by("revoked_at", "-pk")
