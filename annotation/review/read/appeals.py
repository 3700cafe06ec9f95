"""What people object to, for those who answer."""

from dataclasses import dataclass

from django.db.models import Case, QuerySet, Value, When

from annotation.gold.read import current_gold, judged_gold
from annotation.models import Appeal, Collection, GoldEvent, Item, Judgment, ScaleVersion
from annotation.review.read.suspects import GivenGrade, grades_given, suspects_of


@dataclass(frozen=True)
class AppealFile:
    """All that the answer to an appeal needs. `held`: the gold as it is now, None where the pair is gold no more.

    `given`: the grades of everybody who judged the pair, as accuracy scores them; empty where it is gold no more.
    """

    appeal: Appeal
    item: Item
    own_grade: int
    own_name: str
    comment: str
    held: GoldEvent | None
    has_changed: bool  # since the person objected
    n_others: int  # other open objections to the pair
    given: list[GivenGrade]
    n_good: int


def n_open_appeals(collection: Collection) -> int:
    return Appeal.objects.filter(collection=collection, state=Appeal.State.OPEN).count()


def appeals_of(collection: Collection) -> QuerySet[Appeal]:
    """The open ones first, the oldest of them on top; then those answered, the latest first."""
    is_open = Case(When(state=Appeal.State.OPEN, then=Value(0)), default=Value(1))
    found = Appeal.objects.filter(collection=collection).select_related(
        "annotator", "topic", "document", "answered_by", "feedback__batch"
    )
    return found.annotate(rank=is_open).order_by("rank", "-answered_at", "created_at", "pk")


def appeal_file(appeal: Appeal, scale: ScaleVersion) -> AppealFile:
    told = appeal.feedback
    judgment = Judgment.objects.filter(assignment=told.assignment_id, created_at__lte=told.created_at)
    own = judgment.order_by("-revision").select_related("item__batch").first()
    assert own is not None
    held = current_gold(appeal.collection).filter(topic=appeal.topic, document=appeal.document).first()
    given, n_good = _given(appeal, scale)
    others = Appeal.objects.filter(
        collection=appeal.collection, topic=appeal.topic, document=appeal.document, state=Appeal.State.OPEN
    )
    events = GoldEvent.objects.filter(collection=appeal.collection, topic=appeal.topic, document=appeal.document)
    return AppealFile(
        appeal=appeal,
        item=told.assignment.item,
        own_grade=own.grade,
        own_name=scale.name_of(own.grade),
        comment=own.comment,
        held=held,
        has_changed=events.filter(created_at__gt=appeal.created_at).exists(),
        n_others=others.exclude(pk=appeal.pk).count(),
        given=given,
        n_good=n_good,
    )


def _given(appeal: Appeal, scale: ScaleVersion) -> tuple[list[GivenGrade], int]:
    """The grades that people gave, and how many of these people are good on the other gold."""
    judged = judged_gold(appeal.collection)
    suspects = suspects_of(appeal.collection, judged)
    at = judged.places().get((appeal.topic.number, appeal.document.docno))
    if at is None:
        return [], 0
    return grades_given(suspects, at, scale), int(suspects.suspicion.n_good[at])
