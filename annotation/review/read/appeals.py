"""What people object to, for those who answer."""

from dataclasses import dataclass

from django.db.models import Case, QuerySet, Value, When

from annotation.gold.read.current import current_gold
from annotation.models import Appeal, Collection, GoldEvent, Item, Judgment, ScaleVersion
from annotation.review.read.suspects import GradeCount, grade_counts_of, suspects_of


@dataclass(frozen=True)
class AppealFile:
    """All that the answer to an appeal needs. `gold`: as it is now, None where it is gold no more.

    `grade_counts`: the grades of everybody who judged the pair, as accuracy scores them; empty where
    it is gold no more.
    """

    appeal: Appeal
    item: Item
    own_grade: int
    own_name: str
    comment: str
    gold: GoldEvent | None
    has_changed: bool  # since the person objected
    n_others: int  # other open objections to the pair
    grade_counts: list[GradeCount]
    n_good: int


def n_open_appeals(collection: Collection) -> int:
    return Appeal.objects.filter(collection=collection, state=Appeal.State.OPEN).count()


def open_appeals(collection: Collection) -> list[str]:
    """Tokens, the oldest first."""
    rows = Appeal.objects.filter(collection=collection, state=Appeal.State.OPEN).order_by("created_at", "pk")
    return list(rows.values_list("token", flat=True))


def appeals_of(collection: Collection) -> QuerySet[Appeal]:
    """The open ones first, the oldest of them on top; then those answered, the latest first."""
    is_open = Case(When(state=Appeal.State.OPEN, then=Value(0)), default=Value(1))
    appeals = Appeal.objects.filter(collection=collection).select_related(
        "annotator", "topic", "document", "answered_by", "feedback__batch"
    )
    return appeals.annotate(rank=is_open).order_by("rank", "-answered_at", "created_at", "pk")


def appeal_file(appeal: Appeal, scale: ScaleVersion) -> AppealFile:
    feedback = appeal.feedback
    judgments = Judgment.objects.filter(assignment=feedback.assignment_id, created_at__lte=feedback.created_at)
    own = judgments.order_by("-revision").select_related("item__batch").first()
    assert own is not None
    gold = current_gold(appeal.collection, of={"topic": appeal.topic, "document": appeal.document}).first()
    grade_counts, n_good = _grade_counts(appeal, scale)
    others = Appeal.objects.filter(
        collection=appeal.collection, topic=appeal.topic, document=appeal.document, state=Appeal.State.OPEN
    )
    events = GoldEvent.objects.filter(collection=appeal.collection, topic=appeal.topic, document=appeal.document)
    return AppealFile(
        appeal=appeal,
        item=feedback.assignment.item,
        own_grade=own.grade,
        own_name=scale.name_of(own.grade),
        comment=own.comment,
        gold=gold,
        has_changed=events.filter(created_at__gt=appeal.created_at).exists(),
        n_others=others.exclude(pk=appeal.pk).count(),
        grade_counts=grade_counts,
        n_good=n_good,
    )


def _grade_counts(appeal: Appeal, scale: ScaleVersion) -> tuple[list[GradeCount], int]:
    """The grades that people gave, and how many of these people are good on the other gold."""
    suspects = suspects_of(appeal.collection)
    at = suspects.judged.index_by_pair().get((appeal.topic.number, appeal.document.docno))
    if at is None:
        return [], 0
    return grade_counts_of(suspects, at, scale), int(suspects.suspicion.n_good[at])
