"""A qualification round ready to be gone through, and people on their way through it."""

from collections.abc import Sequence

from django.utils import timezone

from annotation.batches.steps.qualifications import (
    QualificationSettings,
    add_pair,
    create_qualification,
    open_qualification,
)
from annotation.judging.steps.qualifying import answer_pair, begin_attempt
from annotation.models import Annotator, Batch, Collection, Participation, Qualification, QualificationAttempt
from tests.factories import make_document, make_topic

ACCEPTED = ([0], [2, 3], [4])


def make_round(
    collection: Collection,
    *,
    accepted: Sequence[list[int]] = ACCEPTED,
    is_open: bool = True,
    prefix: str = "",
    **settings: object,
) -> Qualification:
    """A pair of topic and document of its own for each of the sets of right grades; a draft where there are none."""
    chosen = QualificationSettings(**{"name": "Basics", **settings})  # type: ignore[arg-type]
    qualification = create_qualification(collection, settings=chosen, actor=None)
    for n, grades in enumerate(accepted, start=1):
        topic = make_topic(collection, f"{prefix}Q{n}", title=f"Question {n}", narrative=f"Narrative {n}")
        document = make_document(collection, f"{prefix}QD{n}", title=f"Lesson {n}", text=f"Text of lesson {n}.")
        add_pair(
            qualification,
            topic=topic.versions.get(),
            document=document.versions.get(),
            accepted=grades,
            hint=f"Hint {n}",
            explanation=f"Because {n}",
        )
    if is_open and accepted:
        open_qualification(qualification, actor=None)
    return qualification


def place_in(batch: Batch, annotator: Annotator) -> Participation:
    participations = Participation.objects.select_related("batch__collection__guideline", "annotator__user")
    return participations.get(batch=batch, annotator=annotator)


def go_through(place: Participation, grades: Sequence[int]) -> QualificationAttempt:
    """Begin or go on, and answer the pairs in the order of the round with these grades."""
    attempt = begin_attempt(place, moment=timezone.now())
    assert attempt is not None
    done = attempt.answers.count()
    for item, grade in zip(attempt.qualification.items.order_by("position")[done:], grades, strict=False):
        answer_pair(place, token=item.token, grade=grade, moment=timezone.now())
    attempt.refresh_from_db()
    return attempt
