"""Slots in place of judgments that no longer count because their people are excluded, and taking
back those that are not needed any more once somebody is reinstated. An admin confirms each batch.
"""

from django.db import transaction

from annotation.batches.read.replacements import missing_in
from annotation.batches.steps.layout import AddingError, SlotCounts, add_slots, withdraw_slots
from annotation.models import Batch, User
from annotation.text.counted import counted


@transaction.atomic
def replace_lost(batch: Batch, *, n: int, actor: User | None) -> SlotCounts:
    """Add the missing slots. Raises `AddingError` where they are not `n` any more, as the admin has seen.

    Whoever confirms the same at the same time adds nothing: no item gets more than what is missing.
    """
    missing = missing_in(batch)
    if missing.n != n:
        raise AddingError(
            f"By now {counted(missing.n, 'judgment is', 'judgments are')} missing in {batch.name}, not {n}. Look again."
        )
    reason = f"in place of judgments of {', '.join(missing.names)}"
    return add_slots(batch, missing.n_of, most=missing.most, reason=reason, actor=actor)


def withdraw_spare(batch: Batch, *, actor: User | None) -> SlotCounts:
    """Take back the added slots that are open and not needed any more; how many. Raises `AddingError`."""
    return withdraw_slots(batch, reason="not needed any more", actor=actor)
