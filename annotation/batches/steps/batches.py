"""The life of a batch: drafted, laid out, open, paused, closed. Each step is one conditional UPDATE and is audited."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from django.db import transaction
from django.db.models import F

from annotation.batches.steps.layout import plant_for_newcomers, salt_of
from annotation.gold.steps.feedback import ask_for_feedback
from annotation.judging.steps.kept import let_go_elsewhere, let_go_in
from annotation.kernel.audit import record_audit
from annotation.kernel.blocks import lock_slots, recount_blocks
from annotation.kernel.notices import tell
from annotation.kernel.taken import unless_taken
from annotation.models import (
    Annotator,
    Batch,
    Collection,
    InformationVersion,
    Item,
    Participation,
    Policy,
    Pool,
    Qualification,
    Topic,
    User,
)
from annotation.people.steps.members import end_participation

State = Batch.State
REOPEN_FIRST = "This batch is closed. Reopen it first."
KEEPS_SETTINGS = "A batch that is laid out keeps its settings."


class BatchError(Exception):
    """The step is not possible now; the message says why."""


@dataclass(frozen=True, kw_only=True)
class BatchSettings:
    """What an admin decides about a batch. Shares are parts of all cards (0.12, not 12)."""

    name: str
    pool: Pool
    judgments_per_item: int = 3
    steered_by: Policy | None = None
    most_judgments: int | None = None
    target_probability: float | None = None
    gold_share: float = 0.12
    check_share: float = 0.0
    repeat_share: float = 0.0
    minimum_seconds: int = 10
    session_minutes: int = 50
    break_minutes: int = 10
    nudge_minutes: int = 25
    opening_cards: int = 3
    feedback: str = Batch.Feedback.NEVER
    feedback_hours: int = 24
    information: InformationVersion | None = None
    qualification: Qualification | None = None
    block_size: int = 25
    seed: int


@transaction.atomic
def create_batch(
    collection: Collection,
    *,
    settings: BatchSettings,
    topics: Iterable[Topic],
    annotators: Iterable[Annotator],
    actor: User | None,
) -> Batch:
    """A draft: nothing is laid out. Raises `TakenError` for a name that was just taken."""
    assert collection.scale is not None
    batch = Batch(collection=collection, scale=collection.scale, created_by=actor)
    _store_draft(batch, settings, topics, annotators)
    record_audit("batch drafted", actor=actor, collection=collection, subject=batch.name)
    return batch


@transaction.atomic
def change_batch(
    batch: Batch,
    *,
    settings: BatchSettings,
    topics: Iterable[Topic],
    annotators: Iterable[Annotator],
    actor: User | None,
) -> None:
    """Change a draft. Raises `BatchError` once it is laid out, `TakenError` as `create_batch`."""
    refuse_imported(batch)
    batch = locked_batch(batch, State.DRAFT, refusal=KEEPS_SETTINGS)
    assert batch.collection.scale is not None
    batch.scale = batch.collection.scale
    _store_draft(batch, settings, topics, annotators)
    record_audit("batch changed", actor=actor, collection=batch.collection, subject=batch.name)


@transaction.atomic
def change_feedback(batch: Batch, *, feedback: str, feedback_hours: int, actor: User | None) -> None:
    """When people are told how they did from now on, also once the batch is laid out. What was told stays told."""
    refuse_imported(batch)
    refusal = "A closed batch keeps what its people were told of: reopen it first. A draft has its settings on a page."
    batch = locked_batch(batch, *Batch.TO_JUDGE, refusal=refusal)
    if (batch.feedback, batch.feedback_hours) == (feedback, feedback_hours):
        return
    batch.feedback, batch.feedback_hours = feedback, feedback_hours
    batch.save(update_fields=["feedback", "feedback_hours"])
    record_audit(
        "feedback changed",
        actor=actor,
        collection=batch.collection,
        subject=batch.name,
        feedback=feedback,
        hours=feedback_hours,
    )
    ask_for_feedback(batch.collection, created_by=actor)


@transaction.atomic
def open_batch(batch: Batch, *, actor: User | None) -> None:
    """Let the participants judge. Raises `BatchError` for a batch without participants."""
    refuse_imported(batch)
    if not Participation.objects.filter(batch=batch, is_active=True).exists():
        raise BatchError("Nobody takes part in this batch yet. Assign annotators first.")
    _move(batch, [State.LAID_OUT], State.OPEN, verb="opened", actor=actor)
    active = Participation.objects.filter(batch=batch, is_active=True, annotator__user__isnull=False)
    _tell_open(batch, set(active.values_list("annotator__user", flat=True)), actor)


@transaction.atomic
def pause_batch(batch: Batch, *, actor: User | None) -> None:
    """Stop new cards; cards that people hold may still be submitted."""
    _move(batch, [State.OPEN], State.PAUSED, verb="paused", actor=actor)


@transaction.atomic
def reopen_batch(batch: Batch, *, actor: User | None) -> None:
    """Go on after a pause or a close. What was kept for people who have met the pair elsewhere since is let go."""
    refuse_imported(batch)
    let_go_elsewhere(batch)
    let_go_in(batch)
    _move(batch, [State.PAUSED, State.CLOSED], State.OPEN, verb="reopened", actor=actor)


@transaction.atomic
def close_batch(batch: Batch, *, actor: User | None) -> None:
    _move(batch, Batch.TO_JUDGE, State.CLOSED, verb="closed", actor=actor)
    ask_for_feedback(batch.collection, created_by=actor)


@transaction.atomic
def assign_annotators(batch: Batch, *, annotators: Iterable[Annotator], actor: User | None) -> int:
    """Let more people take part; who joins a layout with reservations gets planted slots. Gives how many joined or came
    back. What was kept for them of pairs that they have met, or may meet, elsewhere is let go.
    """
    refuse_imported(batch)
    batch = locked_batch(batch, State.DRAFT, *Batch.TO_JUDGE, refusal=REOPEN_FIRST)
    newcomers, joined, people = list[Annotator](), 0, list(annotators)
    salts = _salts(batch, people)
    for annotator in people:
        participation, is_new = Participation.objects.get_or_create(
            batch=batch, annotator=annotator, defaults={"salt": salts[annotator.pk]}
        )
        joined += is_new or not participation.is_active
        newcomers += [annotator] if is_new else []
        Participation.objects.filter(pk=participation.pk).update(is_active=True)
        record_audit("annotator assigned", actor=actor, collection=batch.collection, subject=str(annotator))
    if batch.state != State.DRAFT:
        let_go_elsewhere(batch, people)
        let_go_in(batch, people)
    if newcomers and batch.state != State.DRAFT and batch.coin_shares is None:
        expected = plant_for_newcomers(batch, newcomers)
        Batch.objects.filter(pk=batch.pk).update(n_expected=F("n_expected") + expected)
    if batch.state == State.OPEN:
        _tell_open(batch, {each.user_id for each in newcomers if each.user_id}, actor)
    return joined


@transaction.atomic
def unassign_annotator(batch: Batch, *, annotator: Annotator, actor: User | None) -> None:
    """End a person's part. Ordinary items kept for them are free for anyone; what they judged stays. A closed batch
    keeps who took part."""
    refuse_imported(batch)
    batch = locked_batch(batch, State.DRAFT, *Batch.TO_JUDGE, refusal=REOPEN_FIRST)
    if not end_participation(batch, annotator=annotator, actor=actor):
        raise BatchError(f"{annotator} does not take part in this batch.")


@transaction.atomic
def release_item(item: Item, *, actor: User | None) -> None:
    """Hand an item out again that two people could not judge."""
    slots = lock_slots(item.pk)
    if not Item.objects.filter(pk=item.pk, withheld=True).update(withheld=False):
        raise BatchError("This item is not withheld any more.")
    recount_blocks(item.batch, {slot.block for slot in slots})
    record_audit("item released", actor=actor, collection=item.collection, subject=_words(item))


def _store_draft(
    batch: Batch, settings: BatchSettings, topics: Iterable[Topic], annotators: Iterable[Annotator]
) -> None:
    """With exactly these topics and participants."""
    for field in fields(settings):
        setattr(batch, field.name, getattr(settings, field.name))
    with unless_taken(Batch.objects.filter(collection=batch.collection, name=batch.name).exclude(pk=batch.pk)):
        batch.save()
    batch.topics.set(topics)
    Participation.objects.filter(batch=batch).delete()
    salts = _salts(batch, annotators)
    Participation.objects.bulk_create(
        Participation(batch=batch, annotator_id=annotator, salt=salt) for annotator, salt in salts.items()
    )


def _salts(batch: Batch, annotators: Iterable[Annotator]) -> dict[int, int]:
    """By key of the annotator; it follows from their place among the people of the collection. One query."""
    people = Annotator.objects.filter(collection=batch.collection_id, brought_by__isnull=True)
    keys = list(people.order_by("pk").values_list("pk", flat=True))
    return {each.pk: salt_of(batch.seed, bisect_right(keys, each.pk)) for each in annotators}


def locked_batch(batch: Batch, *states: Batch.State, refusal: str) -> Batch:
    """The batch as it is now, locked until the transaction ends.

    `no_key`, here and wherever a row is locked that others refer to: who judges writes such references meanwhile.
    """
    current = (
        Batch.objects.select_for_update(of=("self",), no_key=True)
        .select_related("collection__scale", "scale")
        .filter(pk=batch.pk, state__in=states)
        .first()
    )
    if current is None:
        raise BatchError(refusal)
    return current


def refuse_imported(batch: Batch) -> None:
    if batch.brought_by_id is not None:
        raise BatchError("The judgments of this batch were made elsewhere. It cannot be changed.")


def _move(batch: Batch, before: Sequence[Batch.State], after: Batch.State, *, verb: str, actor: User | None) -> None:
    if not Batch.objects.filter(pk=batch.pk, state__in=before).update(state=after):
        state = Batch.objects.get(pk=batch.pk).get_state_display().lower()
        raise BatchError(f"A batch that is {state} cannot be {verb}.")
    batch.state = after
    record_audit(f"batch {verb}", actor=actor, collection=batch.collection, subject=batch.name)


def _tell_open(batch: Batch, people: set[int], actor: User | None) -> None:
    """Those who judge in it, each once a batch."""
    others = people - {actor.pk} if actor else people
    text = f"{batch} is open: you can judge in it."
    tell("batch open", others, cause=f"open {batch.token}", text=text, collection=batch.collection, token=batch.token)


def _words(item: Item) -> str:
    return f"topic {item.topic.number}, document {item.document.docno}"
