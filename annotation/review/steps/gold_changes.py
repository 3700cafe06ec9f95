"""Correcting and withdrawing gold where it touches people: the change, and whom it brings back, in one transaction."""

import contextlib
from collections.abc import Collection as Set
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from annotation.gold.read.current import GoldChange
from annotation.gold.steps.events import GoldError, set_gold, withdraw_gold
from annotation.kernel.audit import short_texts
from annotation.models import Annotator, Collection, GoldEvent, Rule, User
from annotation.quality.purpose import CRITERION
from annotation.trust.read.gold_effect import Effect, Touched
from annotation.trust.steps.exclusions import ExclusionError, reinstate_annotator
from annotation.trust.steps.pausing import PauseError, keep_paused, resume_annotator


@dataclass(frozen=True)
class GoldChanged:
    event: GoldEvent
    effect: Effect
    brought_back: Sequence[str]  # pseudonyms


def change_gold(
    collection: Collection,
    change: GoldChange,
    *,
    effect: Effect,
    seen: int | None = None,
    bring_back: Set[str] = (),
    actor: User | None,
) -> GoldChanged:
    """Make the change that `effect` is of. `seen`: the last event of the pair as whoever confirms has seen it.

    `bring_back`: pseudonyms, of whom those count that the change frees; who is freed and left out stays paused by hand,
    so that no rule brings them back. Raises `GoldError` where the pair has changed since, or is no gold to withdraw.
    """
    freed = [person for person in effect.freed if person.pseudonym in bring_back]
    kept = [person for person in effect.freed if person.pseudonym not in bring_back and person.pause_over]
    with transaction.atomic():
        Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
        if seen is not None and seen != _last(collection, change):
            raise GoldError("This pair was changed meanwhile. Reload the page to see its gold now.")
        back = [person.pseudonym for person in freed if _bring_back(collection, person, change, actor)]
        for person in kept:
            _keep_paused(collection, person, change, actor)
        details: dict[str, str | int] = {
            "scored_anew": effect.n_rescored,
            **short_texts(brought_back=", ".join(back) or "nobody"),
        }
        event = _append(collection, change, actor, details)
    return GoldChanged(event, effect, back)


def _append(
    collection: Collection, change: GoldChange, actor: User | None, details: Mapping[str, str | int]
) -> GoldEvent:
    topic, document, reason = change.topic, change.document, change.reason
    if change.grade is None:
        return withdraw_gold(collection, topic=topic, document=document, reason=reason, actor=actor, details=details)
    return set_gold(
        collection,
        topic=topic,
        document=document,
        grade=change.grade,
        accepted=change.accepted,
        reason=reason,
        explanation=change.explanation,
        actor=actor,
        details=details,
    )


def _last(collection: Collection, change: GoldChange) -> int:
    events = GoldEvent.objects.filter(
        collection=collection, topic=change.topic, document=change.document, criterion=CRITERION
    )
    last = events.order_by("-pk").first()
    return last.pk if last else 0


def _bring_back(collection: Collection, person: Touched, change: GoldChange, actor: User | None) -> bool:
    """Reinstated and no more paused, with the change as the reason; false where somebody was quicker."""
    annotator = Annotator.objects.get(collection=collection, pseudonym=person.pseudonym)
    reason = f"Gold was changed, {change.words}. On gold now {person.after.n_right} right of {person.after.n_gold}."
    try:
        if person.exclusion_over:
            reinstate_annotator(annotator, reason=reason, actor=actor, rule=Rule.CORRECTION)
        if person.pause_over:
            resume_annotator(annotator, reason=reason, actor=actor, rule=Rule.CORRECTION)
    except (ExclusionError, PauseError):
        return False
    return True


def _keep_paused(collection: Collection, person: Touched, change: GoldChange, actor: User | None) -> None:
    annotator = Annotator.objects.get(collection=collection, pseudonym=person.pseudonym)
    with contextlib.suppress(PauseError):
        keep_paused(annotator, reason=f"Kept paused when gold was changed, {change.words}.", actor=actor)
