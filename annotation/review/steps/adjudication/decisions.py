"""Decisions on pairs: made, revised, withdrawn. Each is one more row; the last one holds."""

from datetime import datetime

from django.db import transaction

from annotation.kernel.audit import record_audit, short_texts
from annotation.models import Adjudication, AdjudicationReading, Item, SentPair, User
from annotation.review.read.adjudication import PairState, pair_state
from annotation.review.steps.adjudication.readings import AdjudicationError, open_pair, refuse_grade

Action = Adjudication.Action


@transaction.atomic
def decide(item: Item, *, grade: int, reason: str, based_on: int, actor: User, moment: datetime) -> Adjudication:
    """The decision with which a person's reading of the pair ends; it takes the reading's blind grade and times along.

    `based_on`: how many decisions there were on the page that they decided on. Raises `AdjudicationError` before
    they have seen what people said, while somebody else has the pair, and if somebody has decided meanwhile.
    """
    refuse_grade(item, grade)
    state = _locked_state(item, actor, moment, based_on)
    if not state.seen:
        raise AdjudicationError("Give your own grade first; then you see what people said.")
    reading = open_pair(item, reader=actor, moment=moment)
    seen_at = reading.seen_at or moment
    decision = Adjudication(
        grade=grade,
        blind_grade=reading.grade,
        knew=reading.knew,
        blind_ms=_blind_ms(reading),
        decide_ms=_between(seen_at, moment) if reading.seen_at else None,
        reason=reason,
        created_by=actor,
    )
    reading.seen_at, reading.state = seen_at, AdjudicationReading.State.DECIDED
    reading.save(update_fields=["seen_at", "state"])
    _append(item, decision)
    waited = SentPair.objects.filter(topic=item.topic_id, document=item.document_id, criterion=decision.criterion)
    waited.filter(decided_at=None).update(decided_at=moment)
    return decision


@transaction.atomic
def withdraw_decision(item: Item, *, reason: str, based_on: int, actor: User, moment: datetime) -> Adjudication:
    """Leave the pair to its judgments again. Raises `AdjudicationError` where no decision holds."""
    state = _locked_state(item, actor, moment, based_on)
    if state.decided is None:
        raise AdjudicationError("There is no decision to withdraw.")
    return _append(item, Adjudication(action=Action.WITHDRAW, reason=reason, created_by=actor))


def _locked_state(item: Item, actor: User, moment: datetime, based_on: int) -> PairState:
    """Who decides on the same pair at the same moment waits here."""
    Item.objects.select_for_update(of=("self",), no_key=True).get(pk=item.pk)
    state = pair_state(item, actor, moment=moment)
    if len(state.decisions) > based_on:
        last = state.decisions[0]
        raise AdjudicationError(f"{last.created_by.username} has decided meanwhile. Look at it, then decide again.")
    return state


def _append(item: Item, decision: Adjudication) -> Adjudication:
    for name in ("collection_id", "topic_id", "document_id", "scale_id"):
        setattr(decision, name, getattr(item, name))
    decision.criterion = item.batch.criterion
    before = _before(decision)
    decision.save()
    verb = "pair adjudicated" if decision.action == Action.DECIDE else "decision withdrawn"
    grades = {"grade": decision.grade, "blind_grade": decision.blind_grade, "grade_before": before}
    detail = {name: grade for name, grade in grades.items() if grade is not None}
    subject = f"topic {item.topic.number}, document {item.document.docno}"
    why = short_texts(reason=decision.reason)
    record_audit(verb, actor=decision.created_by, collection=item.collection, subject=subject, **detail, **why)
    return decision


def _before(decision: Adjudication) -> int | None:
    """The grade of the decision that held until now; none where there was no decision."""
    rows = Adjudication.objects.filter(collection=decision.collection_id, criterion=decision.criterion)
    rows = rows.filter(topic=decision.topic_id, document=decision.document_id)
    return rows.order_by("-pk").values_list("grade", flat=True).first()


def _blind_ms(reading: AdjudicationReading) -> int | None:
    """Unknown where no blind grade was given, or the pair was opened by that grade itself."""
    if reading.grade is None or reading.seen_at is None or reading.seen_at == reading.opened_at:
        return None
    return _between(reading.opened_at, reading.seen_at)


def _between(start: datetime, end: datetime) -> int:
    return max(0, int((end - start).total_seconds() * 1000))
