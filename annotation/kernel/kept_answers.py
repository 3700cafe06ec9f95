"""Answers kept for requests that come again: for a day, by person and key."""

from datetime import timedelta

from django.utils import timezone

from annotation.kernel.clearing import delete_in_portions
from annotation.models import KeptAnswer, User
from annotation.models.tokens import hash_secret

KEPT_FOR = timedelta(hours=24)


def sweep_kept_answers() -> int:
    """Forget those whose day is over; how many there were."""
    return delete_in_portions(KeptAnswer.objects.filter(created_at__lt=timezone.now() - KEPT_FOR))


def claim_key(person: User, *, key: str, request_hash: str) -> KeptAnswer:
    """The row of this key; its `status` is null if it was made here, for a deed in this transaction.

    Somebody who claims the same key meanwhile waits until this transaction ends, on either database.
    """
    rows = KeptAnswer.objects.filter(user=person, key_hash=hash_secret(key))
    rows.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    row = KeptAnswer(user=person, key_hash=hash_secret(key), request_hash=request_hash)
    KeptAnswer.objects.bulk_create([row], ignore_conflicts=True)
    return rows.get()
