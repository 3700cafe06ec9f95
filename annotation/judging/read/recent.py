"""What a person judged last, for going back to it."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from annotation.models import Batch, Feedback, Judgment, Participation

MOST = 20


@dataclass(frozen=True)
class RecentJudgment:
    """`token` is that of the card it came with. `may_change`: until the batch is closed or the person has been told."""

    token: str
    topic_number: str
    topic_title: str
    title: str
    grade: int
    grade_name: str
    may_change: bool


def recent_judgments(participation: Participation) -> list[RecentJudgment]:
    """The last twenty of the batch, the latest first, each with the grade that stands."""
    batch = participation.batch
    first = Judgment.objects.filter(batch=batch, annotator=participation.annotator_id, revision=1).order_by("-pk")
    rows = first.annotate(is_told=Exists(Feedback.objects.filter(assignment=OuterRef("assignment")))).values_list(
        "assignment_id",
        "token",
        "item__topic__number",
        "item__topic_version__title",
        "item__document_version__title",
        "is_told",
    )[:MOST]
    grades = _last_grades([row[0] for row in rows])
    is_open = batch.state != Batch.State.CLOSED
    return [
        RecentJudgment(
            token,
            number,
            topic_title,
            title,
            grades[key],
            batch.scale.name_of(grades[key]),
            is_open and not is_told,
        )
        for key, token, number, topic_title, title, is_told in rows
    ]


def _last_grades(assignments: list[int]) -> dict[int, int]:
    """Assignment → the grade of its last revision."""
    judged = Judgment.objects.filter(assignment__in=assignments).order_by("revision")
    return dict(judged.values_list("assignment_id", "grade"))
