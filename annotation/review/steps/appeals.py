"""Answering what people object to: declined, or upheld by a change of gold, through the same flow as any other."""

from collections.abc import Collection as Set
from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.gold.read.current import GoldChange, pair_in_words
from annotation.gold.steps.events import GoldError, gold_in_words
from annotation.kernel.audit import record_audit, short_texts
from annotation.kernel.notices import tell
from annotation.models import Appeal, GoldEvent, User
from annotation.review.steps.gold_changes import GoldChanged, change_gold
from annotation.trust.read.gold_effect import Effect

State = Appeal.State


class AnswerError(Exception):
    """Somebody has answered already, or gold has changed meanwhile; the message says so."""


@transaction.atomic
def decline_appeal(appeal: Appeal, *, answer: str, actor: User) -> None:
    """The gold stays as it is, and the person reads why."""
    _answer(_open(appeal), State.DECLINED, answer, None, actor)


@transaction.atomic
def settle_appeal(appeal: Appeal, *, answer: str, actor: User) -> None:
    """Upheld by a change that was made already, since the person objected."""
    event = GoldEvent.objects.filter(
        collection=appeal.collection_id, topic=appeal.topic_id, document=appeal.document_id
    ).latest("pk")
    if event.created_at <= appeal.created_at:
        raise AnswerError("The gold has not changed since the person objected: change it, or decline.")
    _answer(_open(appeal), State.UPHELD, answer, event, actor)


@transaction.atomic
def uphold_appeal(
    appeal: Appeal,
    *,
    answer: str,
    change: GoldChange,
    effect: Effect,
    seen: int | None = None,
    bring_back: Set[str] = (),
    all_of_pair: bool = False,
    actor: User,
) -> GoldChanged:
    """Change the gold, and tell the person so; with `all_of_pair`, whoever else has objected to the pair, too."""
    locked = _open(appeal)
    try:
        done = change_gold(appeal.collection, change, effect=effect, seen=seen, bring_back=bring_back, actor=actor)
    except GoldError as error:
        raise AnswerError(str(error)) from error
    others = _locking().filter(topic=appeal.topic_id, document=appeal.document_id, state=State.OPEN)
    for each in [locked, *(others.exclude(pk=appeal.pk).order_by("pk") if all_of_pair else ())]:
        _answer(each, State.UPHELD, answer, done.event, actor)
    return done


def change_on(
    appeal: Appeal, *, grade: int | None, accepted: Iterable[int], answer: str, explanation: str
) -> GoldChange:
    """The change that upholds it; no `grade`: the gold is withdrawn."""
    is_gone = grade is None
    return GoldChange(
        topic=appeal.topic,
        document=appeal.document,
        grade=grade,
        accepted=() if is_gone else tuple(accepted),
        reason=f"On an objection of {appeal.annotator.pseudonym}: {answer}",
        explanation="" if is_gone else explanation,
    )


def _locking() -> QuerySet[Appeal]:
    appeals = Appeal.objects.select_for_update(of=("self",), no_key=True)
    return appeals.select_related("collection", "annotator", "topic", "document", "feedback__batch")


def _open(appeal: Appeal) -> Appeal:
    """The appeal, locked. Raises `AnswerError` where somebody was quicker."""
    locked = _locking().get(pk=appeal.pk)
    if locked.is_answered:
        raise AnswerError("Somebody has answered this objection already.")
    return locked


def _answer(appeal: Appeal, state: Appeal.State, answer: str, event: GoldEvent | None, actor: User) -> None:
    appeal.state, appeal.answer, appeal.event, appeal.answered_by = state, answer, event, actor
    appeal.answered_at = timezone.now()
    appeal.save(update_fields=("state", "answer", "event", "answered_by", "answered_at"))
    record_audit(
        f"objection {state.value}",
        actor=actor,
        collection=appeal.collection,
        subject=f"{appeal.annotator.pseudonym}: {pair_in_words(appeal.topic, appeal.document)}",
        told=appeal.told_grade,
        **short_texts(objection=appeal.reason, answer=answer, gold=gold_in_words(event) if event else ""),
    )
    batch, person = appeal.feedback.batch, appeal.annotator.user_id
    tell(
        "answer",
        [person] if person else [],
        cause=f"answer {appeal.token}",
        text=f"Your objection in {batch} was answered.",
        collection=appeal.collection,
        token=batch.token,
    )
