"""What a person has read in their inbox."""

from datetime import timedelta

from django.utils import timezone

from annotation.kernel.clearing import delete_in_portions
from annotation.kernel.notices import notices_of
from annotation.models import Notice, User

KEPT = timedelta(days=180)  # once it is read


def mark_read(notice: Notice) -> None:
    """What was read before keeps its time."""
    Notice.objects.filter(pk=notice.pk, read_at=None).update(read_at=timezone.now())


def mark_all_read(person: User, *, until: Notice) -> int:
    """This one and all before it: what has come in since stays unread. How many."""
    unread = Notice.objects.filter(pk__in=notices_of(person).filter(pk__lte=until.pk, read_at=None).values("pk"))
    return unread.update(read_at=timezone.now())


def sweep_inbox() -> int:
    """Delete what was read long ago; how many. For the worker, now and then. What still holds then is told again."""
    return delete_in_portions(Notice.objects.filter(read_at__lt=timezone.now() - KEPT))
