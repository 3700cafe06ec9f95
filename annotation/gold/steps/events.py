"""Events that make pairs gold, many at once: in one transaction, since gold counts from the moment it is written."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from annotation.gold.read.current import current_gold
from annotation.gold.steps.feedback import ask_for_feedback
from annotation.kernel.audit import record_audit
from annotation.kernel.bulk_rows import Alike, Values
from annotation.models import Collection, GoldEvent, ScaleVersion, User
from annotation.quality.table import CRITERION

DIFFERING = ("topic_id", "document_id", "grade", "accepted", "reason", "explanation")

Pair = tuple[int, int]


@dataclass(frozen=True)
class Wanted:
    """A pair as it is to be gold. `accepted`: the grades that are right besides; None leaves them as they are."""

    pair: Pair
    grade: int
    reason: str
    explanation: str = ""
    accepted: tuple[int, ...] | None = None


@dataclass(frozen=True)
class GoldTaken:
    """What an import of gold did: pairs set anew or corrected, left as they were, and left aside.

    `n_known`: of those set, pairs that were gold already. `notes` say what else was left aside or changed.
    """

    n_set: int
    n_unchanged: int
    n_unlisted: int = 0
    n_unknown: int = 0
    notes: tuple[str, ...] = ()
    n_known: int = 0


def held_gold(collection: Collection) -> dict[Pair, GoldEvent]:
    """What is gold now."""
    found = current_gold(collection, CRITERION, scale=scale_of(collection))
    return {(event.topic_id, event.document_id): event for event in found.defer("reason")}


def is_new(wanted: Wanted, held: GoldEvent | None) -> bool:
    """Another grade, other accepted ones, another explanation; a file that does not say takes nothing away."""
    if held is None or held.grade != wanted.grade:
        return True
    if wanted.accepted is not None and sorted({wanted.grade, *wanted.accepted}) != held.accepted:
        return True
    return wanted.explanation not in ("", held.explanation)


@transaction.atomic
def take_wanted(collection: Collection, wanted: Sequence[Wanted], *, source: str, actor: User | None) -> GoldTaken:
    """Events for what is new; a grade that is gold already keeps what is not said anew."""
    held = held_gold(collection)
    new = [(each, held.get(each.pair)) for each in wanted if is_new(each, held.get(each.pair))]
    sample = gold_event(scale_of(collection), Wanted((0, 0), 0, ""), actor)
    sample.created_at = timezone.now()
    Alike(sample, DIFFERING).insert(_rows(new))
    if new:
        ask_for_feedback(collection, created_by=actor)
    corrected = sum(before is not None for _, before in new)
    record_audit("gold taken", actor=actor, collection=collection, subject=source, pairs=len(new), corrected=corrected)
    return GoldTaken(len(new), len(wanted) - len(new), n_known=corrected)


def gold_event(scale: ScaleVersion, wanted: Wanted, actor: User | None, accepted: Iterable[int] = ()) -> GoldEvent:
    return GoldEvent(
        collection_id=scale.collection_id,
        topic_id=wanted.pair[0],
        document_id=wanted.pair[1],
        criterion=CRITERION,
        scale=scale,
        action=GoldEvent.Action.SET,
        grade=wanted.grade,
        accepted=sorted({wanted.grade, *accepted}),
        reason=wanted.reason,
        explanation=wanted.explanation,
        created_by=actor,
    )


def scale_of(collection: Collection) -> ScaleVersion:
    assert collection.scale is not None
    return collection.scale


def _rows(new: Iterable[tuple[Wanted, GoldEvent | None]]) -> Iterator[Values]:
    """The values of `DIFFERING`, as the database wants them."""
    column = GoldEvent._meta.get_field("accepted")  # noqa: SLF001 -- public, for all its underscore
    known: dict[tuple[int, ...], Any] = {}
    for wanted, before in new:
        same = before if before and before.grade == wanted.grade else None
        said = wanted.accepted if wanted.accepted is not None else same.accepted if same else ()
        accepted = tuple(sorted({wanted.grade, *said}))
        if accepted not in known:
            known[accepted] = column.get_db_prep_save(list(accepted), connection)
        explanation = wanted.explanation or (same.explanation if same else "")
        yield (*wanted.pair, wanted.grade, known[accepted], wanted.reason, explanation)
