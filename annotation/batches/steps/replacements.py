"""Slots in place of judgments that no longer count because their people are excluded, and taking back those that are
not needed any more once somebody is reinstated. An admin confirms each batch.
"""

from django.db import transaction

from annotation.batches.read.replacements import missing_in
from annotation.batches.steps.layout import Added, AddingRefused, add_slots, withdraw_slots
from annotation.models import Batch, User


class ReplacingRefused(Exception):  # noqa: N818 -- an answer, not an error
    """Nothing was added or withdrawn; the message says why."""


@transaction.atomic
def replace_lost(batch: Batch, *, n: int, actor: User | None) -> Added:
    """Add the slots that are missing: `n`, as the admin has seen it. Raises `ReplacingRefused` where it is another
    number by now.

    Whoever confirms the same at the same time adds nothing: no item gets more than what is missing.
    """
    found = missing_in(batch)
    if found.n != n:
        raise ReplacingRefused(f"By now {found.n} judgments are missing in {batch.name}, not {n}. Look again.")
    reason = f"in place of judgments of {', '.join(found.names)}"
    try:
        return add_slots(batch, found.n_of, most=found.most, reason=reason, actor=actor)
    except AddingRefused as refused:
        raise ReplacingRefused(str(refused)) from refused


def withdraw_spare(batch: Batch, *, actor: User | None) -> Added:
    """Take back the added slots that are open and not needed any more; how many. Raises `ReplacingRefused`."""
    try:
        return withdraw_slots(batch, reason="not needed any more", actor=actor)
    except AddingRefused as refused:
        raise ReplacingRefused(str(refused)) from refused
