"""Objecting to what one was told of a judgment. An appeal is about a row that was told, and about nothing else."""

from django.db import IntegrityError, transaction

from annotation.kernel.audit import record_audit, said
from annotation.models import Annotator, Appeal, Feedback


class AppealError(Exception):
    """There is nothing to object to, or an objection waits already; the message says so."""


@transaction.atomic
def raise_appeal(told: Feedback, *, reason: str) -> Appeal:
    """The person objects to what `told` says. One objection of a person and pair waits at a time."""
    person = Annotator.objects.select_for_update(no_key=True).get(pk=told.annotator_id)
    row = Feedback.objects.select_related("batch__collection", "assignment__item__topic", "assignment__item__document")
    told = row.get(pk=told.pk)
    item = told.assignment.item
    _refuse(told, person)
    try:
        with transaction.atomic():
            appeal = Appeal.objects.create(
                collection=told.batch.collection,
                feedback=told,
                annotator=person,
                topic=item.topic,
                document=item.document,
                told_grade=told.grade,
                reason=reason,
            )
    except IntegrityError:
        raise AppealError("Your objection to this pair waits for an answer already.") from None
    record_audit(
        "objection raised",
        actor=person.user,
        collection=told.batch.collection,
        subject=f"{person.pseudonym}: topic {item.topic.number}, document {item.document.docno}",
        told=told.grade,
        **said(reason=reason),
    )
    return appeal


def _refuse(told: Feedback, person: Annotator) -> None:
    if not told.accepted:
        raise AppealError("The known grade was withdrawn: there is nothing to object to any more.")
    item = told.assignment.item
    same = Appeal.objects.filter(annotator=person, topic=item.topic, document=item.document, told_grade=told.grade)
    if same.exclude(state=Appeal.State.OPEN).exists():
        raise AppealError("Your objection to this grade was answered already.")
