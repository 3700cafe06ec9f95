"""Qualification rounds as admins make them: drafted, filled with pairs, open, closed. Opening fixes the pairs.

What is right is copied when a pair is taken in: nobody's way through a round reads more than the
round itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from annotation.batches.read.qualifications import pairs_taken
from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.kernel.audit import record_audit
from annotation.kernel.taken import unless_taken
from annotation.models import (
    Batch,
    Collection,
    DocumentVersion,
    GoldEvent,
    Qualification,
    QualificationAttempt,
    QualificationItem,
    TopicVersion,
    User,
)

State = Qualification.State


class QualificationError(Exception):
    """The step is not possible now; the message says why."""


@dataclass(frozen=True, kw_only=True)
class QualificationSettings:
    """`pass_mark` is a share (0.7, not 70); `most_attempts` 0 means as many as one likes."""

    name: str
    pass_mark: float = 0.7
    most_attempts: int = 2


@transaction.atomic
def create_qualification(
    collection: Collection, *, settings: QualificationSettings, actor: User | None
) -> Qualification:
    """A draft without pairs. Raises `TakenError` for a name that was just taken."""
    assert collection.scale is not None
    with unless_taken(Qualification.objects.filter(collection=collection, name=settings.name)):
        qualification = Qualification.objects.create(
            collection=collection, scale=collection.scale, created_by=actor, **vars(settings)
        )
    record_audit("qualification drafted", actor=actor, collection=collection, subject=qualification.name)
    return qualification


@transaction.atomic
def change_qualification(qualification: Qualification, *, settings: QualificationSettings, actor: User | None) -> None:
    """At any time: who has passed has passed, who has not gets the tries that there are now.

    Raises `TakenError` for a name that was just taken.
    """
    others = Qualification.objects.filter(collection=qualification.collection).exclude(pk=qualification.pk)
    with unless_taken(others.filter(name=settings.name)):
        Qualification.objects.filter(pk=qualification.pk).update(**vars(settings))
    record_audit("qualification changed", actor=actor, collection=qualification.collection, subject=settings.name)


@transaction.atomic
def add_pair(
    qualification: Qualification,
    *,
    topic: TopicVersion,
    document: DocumentVersion,
    accepted: Iterable[int],
    hint: str = "",
    explanation: str = "",
) -> QualificationItem:
    """Raises `QualificationError` for a pair that the round has, and once the round was opened."""
    _locked(qualification, State.DRAFT)
    if (topic.topic_id, document.document_id) in pairs_taken(qualification):
        raise QualificationError("The round has this pair already.")
    pairs = QualificationItem.objects.filter(qualification=qualification)
    last = pairs.aggregate(last=Max("position"))["last"]
    return QualificationItem.objects.create(
        qualification=qualification,
        position=0 if last is None else last + 1,
        topic_version=topic,
        document_version=document,
        accepted=sorted(set(accepted)),
        hint=hint,
        explanation=explanation,
    )


@transaction.atomic
def copy_gold(qualification: Qualification, *, events: Sequence[GoldEvent]) -> int:
    """Take gold pairs in as they are known now, with what is to be told of them; gives how many were new."""
    _locked(qualification, State.DRAFT)
    collection = qualification.collection
    topic_versions = current_topic_versions(collection).filter(topic__in=[event.topic_id for event in events])
    document_versions = current_document_versions(collection).filter(document__in=[each.document_id for each in events])
    topics = {each.topic_id: each for each in topic_versions}
    documents = {each.document_id: each for each in document_versions}
    taken, added = pairs_taken(qualification), 0
    for event in events:
        pair = (event.topic_id, event.document_id)
        if pair not in taken and event.topic_id in topics and event.document_id in documents:
            add_pair(
                qualification,
                topic=topics[event.topic_id],
                document=documents[event.document_id],
                accepted=event.accepted or [event.grade or 0],
                explanation=event.explanation,
            )
            added += 1
    return added


@transaction.atomic
def change_pair(item: QualificationItem, *, accepted: Iterable[int], hint: str, explanation: str) -> None:
    _locked(item.qualification, State.DRAFT)
    item.accepted, item.hint, item.explanation = sorted(set(accepted)), hint, explanation
    item.save(update_fields=["accepted", "hint", "explanation"])


@transaction.atomic
def remove_pair(item: QualificationItem) -> None:
    _locked(item.qualification, State.DRAFT)
    item.delete()


@transaction.atomic
def move_pair(item: QualificationItem, *, down: bool) -> None:
    """Change places with the neighbour; the first and the last stay where they are."""
    _locked(item.qualification, State.DRAFT)
    others = QualificationItem.objects.filter(qualification=item.qualification_id)
    if down:
        neighbour = others.filter(position__gt=item.position).order_by("position").first()
    else:
        neighbour = others.filter(position__lt=item.position).order_by("-position").first()
    if neighbour is None:
        return
    last = others.aggregate(last=Max("position"))["last"]
    others.filter(pk=item.pk).update(position=last + 1)  # no two may be alike for a moment
    others.filter(pk=neighbour.pk).update(position=item.position)
    others.filter(pk=item.pk).update(position=neighbour.position)


@transaction.atomic
def open_qualification(qualification: Qualification, *, actor: User | None) -> None:
    """Let people begin. From now on the pairs stand still."""
    _locked(qualification, State.DRAFT, State.CLOSED)
    if not QualificationItem.objects.filter(qualification=qualification).exists():
        raise QualificationError("The round has no pairs yet.")
    _move(qualification, State.OPEN, "qualification opened", actor)


@transaction.atomic
def close_qualification(qualification: Qualification, *, actor: User | None) -> None:
    """Nobody begins any more; who is in the middle of it may end it."""
    _locked(qualification, State.OPEN)
    _move(qualification, State.CLOSED, "qualification closed", actor)


@transaction.atomic
def redraft_qualification(qualification: Qualification, *, actor: User | None) -> None:
    """Back to a draft, while nobody has begun and no batch was laid out without the pairs."""
    _locked(qualification, State.OPEN, State.CLOSED)
    if QualificationAttempt.objects.filter(qualification=qualification).exists():
        raise QualificationError("People have begun this round; its pairs stay. Make another one.")
    if Batch.objects.filter(qualification=qualification).exclude(state=Batch.State.DRAFT).exists():
        raise QualificationError("A batch was laid out without the pairs of this round; they stay.")
    _move(qualification, State.DRAFT, "qualification taken back", actor)


@transaction.atomic
def delete_qualification(qualification: Qualification, *, actor: User | None) -> None:
    _locked(qualification, State.DRAFT)
    if Batch.objects.filter(qualification=qualification).exists():
        raise QualificationError("A batch asks for this round. Choose another one there first.")
    record_audit("qualification deleted", actor=actor, collection=qualification.collection, subject=qualification.name)
    qualification.delete()


def _locked(qualification: Qualification, *states: Qualification.State) -> None:
    """Lock the round until the transaction ends. Raises `QualificationError` unless it is in one of the states."""
    current = Qualification.objects.select_for_update(no_key=True).get(pk=qualification.pk)
    qualification.state = current.state
    if current.state not in states:
        raise QualificationError(f"The round is {current.get_state_display().lower()}: this cannot be done now.")


def _move(qualification: Qualification, state: Qualification.State, verb: str, actor: User | None) -> None:
    qualification.state = state
    qualification.save(update_fields=["state"])
    record_audit(verb, actor=actor, collection=qualification.collection, subject=qualification.name)
