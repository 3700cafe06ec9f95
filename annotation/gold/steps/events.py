"""Gold is a list of events: the last one of a pair and criterion holds. Whatever changes gold appends here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from django.utils.text import capfirst

from annotation.gold.read.current import current_gold, pair_in_words
from annotation.gold.steps.feedback import ask_for_feedback
from annotation.judging.steps.kept import let_go
from annotation.kernel.audit import record_audit, short_texts
from annotation.kernel.bulk_rows import Alike, Values
from annotation.models import (
    Collection,
    Document,
    GoldEvent,
    Item,
    Planting,
    ScaleVersion,
    Slot,
    StockItem,
    Topic,
    User,
)
from annotation.quality.purpose import CRITERION

DIFFERING = ("topic_id", "document_id", "grade", "accepted", "reason", "explanation")
NO_DETAILS: Mapping[str, str | int] = {}

Pair = tuple[int, int]  # primary keys of the topic and the document


class GoldError(Exception):
    """Gold cannot be changed so; the message says why."""


@dataclass(frozen=True)
class GoldEntry:
    """A pair as it is to be gold. `accepted`: the grades that are right besides; None leaves them as they are."""

    pair: Pair
    grade: int
    reason: str
    explanation: str = ""
    accepted: tuple[int, ...] | None = None

    @property
    def all_accepted(self) -> list[int]:
        return sorted({self.grade, *(self.accepted or ())})

    def corrects(self, event: GoldEvent) -> bool:
        """Whether the grade or the accepted ones differ. An entry that leaves these open keeps them."""
        if event.grade != self.grade:
            return True
        return self.accepted is not None and self.all_accepted != event.accepted


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


@transaction.atomic
def set_gold(
    collection: Collection,
    *,
    topic: Topic,
    document: Document,
    grade: int,
    accepted: Iterable[int],
    reason: str,
    explanation: str = "",
    actor: User | None,
    details: Mapping[str, str | int] = NO_DETAILS,
) -> GoldEvent:
    """Set or correct a pair's grade. `accepted` are the grades that count as correct; the grade itself always does.

    `explanation` is shown to those who have judged the pair, once results are due; `details` go to the audit log.
    """
    entry = GoldEntry((topic.pk, document.pk), grade, reason, explanation)
    return _append(_event(scale_of(collection), entry, actor, accepted), details)


@transaction.atomic
def withdraw_gold(
    collection: Collection,
    *,
    topic: Topic,
    document: Document,
    reason: str,
    actor: User | None,
    details: Mapping[str, str | int] = NO_DETAILS,
) -> GoldEvent:
    """The pair is gold no more, and comes to nobody any more where coins bring it. What was judged stays, and
    stops counting for anybody's accuracy.
    """
    current = current_gold(collection, CRITERION, of={"topic": topic, "document": document}).first()
    if current is None:
        raise GoldError(f"{capfirst(pair_in_words(topic, document))} is not gold.")
    event = GoldEvent(
        collection=collection,
        topic=topic,
        document=document,
        criterion=CRITERION,
        scale_id=current.scale_id,
        action=GoldEvent.Action.WITHDRAW,
        reason=reason,
        created_by=actor,
    )
    planted = Item.objects.filter(planting__purpose=Planting.Purpose.GOLD, batch__criterion=CRITERION)
    items = planted.filter(topic=topic, document=document, batch__coin_shares__isnull=False)
    StockItem.objects.filter(item__in=items).delete()
    let_go(Slot.objects.filter(item__in=items))
    return _append(event, details)


@transaction.atomic
def append_gold(collection: Collection, entries: Sequence[GoldEntry], *, source: str, actor: User | None) -> GoldTaken:
    """Events for what is new; a grade that is gold already keeps what the entry leaves open.

    All in one transaction, since gold counts from the moment it is written.
    """
    current = gold_by_pair(collection)
    new = [(entry, current.get(entry.pair)) for entry in entries if _is_new(entry, current.get(entry.pair))]
    sample = _event(scale_of(collection), GoldEntry((0, 0), 0, ""), actor)
    sample.created_at = timezone.now()
    Alike(sample, DIFFERING).insert(_rows(new))
    if new:
        ask_for_feedback(collection, created_by=actor)
    corrected = sum(before is not None for _, before in new)
    record_audit("gold taken", actor=actor, collection=collection, subject=source, pairs=len(new), corrected=corrected)
    return GoldTaken(len(new), len(entries) - len(new), n_known=corrected)


def compare_gold(collection: Collection, entries: Sequence[GoldEntry]) -> GoldTaken:
    """What `append_gold` would do, without doing it."""
    current = gold_by_pair(collection)
    new = [entry.pair for entry in entries if _is_new(entry, current.get(entry.pair))]
    return GoldTaken(len(new), len(entries) - len(new), n_known=sum(pair in current for pair in new))


def gold_by_pair(collection: Collection) -> dict[Pair, GoldEvent]:
    """Current gold on the current scale."""
    events = current_gold(collection, CRITERION, scale=scale_of(collection)).defer("reason")
    return {(event.topic_id, event.document_id): event for event in events}


def gold_in_words(event: GoldEvent) -> str:
    """The grade with all that are accepted."""
    withdrawn = event.action == GoldEvent.Action.WITHDRAW
    return "withdrawn" if withdrawn else f"{event.grade} (accepted: {_accepted_in_words(event)})"


def scale_of(collection: Collection) -> ScaleVersion:
    assert collection.scale is not None
    return collection.scale


def _append(event: GoldEvent, details: Mapping[str, str | int]) -> GoldEvent:
    """The event with its line of the audit log: before and after, why, and what else it changed."""
    before = GoldEvent.objects.filter(
        collection=event.collection_id, topic=event.topic_id, document=event.document_id, criterion=event.criterion
    ).order_by("-pk").first()  # fmt: skip
    event.save()
    ask_for_feedback(event.collection, created_by=event.created_by)
    withdrawn = event.action == GoldEvent.Action.WITHDRAW
    after = {} if withdrawn else {"grade": event.grade, "accepted": _accepted_in_words(event)}
    record_audit(
        "gold withdrawn" if withdrawn else "gold set",
        actor=event.created_by,
        collection=event.collection,
        subject=pair_in_words(event.topic, event.document),
        **after,
        before=gold_in_words(before) if before else "no gold",
        **short_texts(reason=event.reason, explanation=event.explanation),
        **details,
    )
    return event


def _accepted_in_words(event: GoldEvent) -> str:
    return ", ".join(str(grade) for grade in event.accepted)


def _is_new(entry: GoldEntry, current: GoldEvent | None) -> bool:
    """Whether it is not gold yet, is corrected, or has another explanation; an empty one takes nothing away."""
    if current is None or entry.corrects(current):
        return True
    return entry.explanation not in ("", current.explanation)


def _event(scale: ScaleVersion, entry: GoldEntry, actor: User | None, accepted: Iterable[int] = ()) -> GoldEvent:
    return GoldEvent(
        collection_id=scale.collection_id,
        topic_id=entry.pair[0],
        document_id=entry.pair[1],
        criterion=CRITERION,
        scale=scale,
        action=GoldEvent.Action.SET,
        grade=entry.grade,
        accepted=sorted({entry.grade, *accepted}),
        reason=entry.reason,
        explanation=entry.explanation,
        created_by=actor,
    )


def _rows(new: Iterable[tuple[GoldEntry, GoldEvent | None]]) -> Iterator[Values]:
    """The values of `DIFFERING`, as the database wants them."""
    column = GoldEvent._meta.get_field("accepted")  # noqa: SLF001 -- public, for all its underscore
    prepared: dict[tuple[int, ...], Any] = {}
    for entry, before in new:
        same = before if before and before.grade == entry.grade else None
        also = entry.accepted if entry.accepted is not None else same.accepted if same else ()
        accepted = tuple(sorted({entry.grade, *also}))
        if accepted not in prepared:
            prepared[accepted] = column.get_db_prep_save(list(accepted), connection)
        explanation = entry.explanation or (same.explanation if same else "")
        yield (*entry.pair, entry.grade, prepared[accepted], entry.reason, explanation)
