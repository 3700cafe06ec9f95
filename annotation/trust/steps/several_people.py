"""Several people paused or excluded in one transaction, for the same reason."""

from collections.abc import Callable, Iterable
from contextlib import suppress

from django.db import transaction

from annotation.models import Annotator, User
from annotation.trust.steps.exclusions import ExclusionError, exclude_annotator
from annotation.trust.steps.pausing import PauseError, pause_annotator


def pause_together(annotators: Iterable[Annotator], *, reason: str, actor: User | None) -> list[Annotator]:
    """Those whom this has paused: others are paused already, or have no account that could get cards."""
    with_account = (each for each in annotators if each.user_id is not None)
    return _together(with_account, pause_annotator, reason=reason, actor=actor)


def exclude_together(annotators: Iterable[Annotator], *, reason: str, actor: User | None) -> list[Annotator]:
    """Those whom this has excluded: others are already."""
    return _together(annotators, exclude_annotator, reason=reason, actor=actor)


@transaction.atomic
def _together(
    annotators: Iterable[Annotator], change: Callable[..., object], *, reason: str, actor: User | None
) -> list[Annotator]:
    """In one order, so that two who do it at once do not wait for each other."""
    changed = []
    for annotator in sorted(annotators, key=lambda each: each.pk):
        with suppress(ExclusionError, PauseError):
            change(annotator, reason=reason, actor=actor)
            changed.append(annotator)
    return changed
