"""A person's inbox as they look at it."""

from django.db.models import QuerySet
from django.http import Http404

from annotation.kernel.notices import notices_of
from annotation.models import Notice, User


def inbox_of(person: User, *, unread: bool = False) -> QuerySet[Notice]:
    """The newest first."""
    notices = notices_of(person)
    return notices.filter(read_at=None) if unread else notices


def notice_for(person: User, token: str) -> Notice:
    """One of the person's own; else 404."""
    notice = notices_of(person).filter(token=token).first()
    if notice is None:
        raise Http404("No such entry.")
    return notice
