"""Taking out what names people."""

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.models import Collection, User


@transaction.atomic
def note_names_taken(collection: Collection, *, form: str, actor: User | None) -> None:
    """Write down who takes the judgments with the names of the accounts; called before the first byte leaves."""
    record_audit(
        "judgments exported with names", actor=actor, collection=collection, subject=collection.slug, form=form
    )
