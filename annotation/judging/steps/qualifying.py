"""A qualification round as a person goes through it. Its answers are training: no judgments, counted nowhere."""

from datetime import datetime

from django.db import transaction

from annotation.judging.read.guidance import has_agreed
from annotation.judging.read.qualifying import answers_in, is_right, last_attempt, needed, round_progress
from annotation.judging.steps.kept import let_go_pair
from annotation.models import (
    Annotator,
    Participation,
    Qualification,
    QualificationAnswer,
    QualificationAttempt,
    QualificationItem,
)


@transaction.atomic
def begin_attempt(participation: Participation, *, moment: datetime) -> QualificationAttempt | None:
    """The person's attempt under way, begun now if there is none. None where they may not begin one: also before they
    have agreed to what the batch asks them to agree to."""
    information = participation.batch.information_id
    if information is not None and not has_agreed(participation.annotator_id, information):
        return None
    qualification = _locked(participation)
    last = last_attempt(qualification, participation.annotator_id)
    if last is not None and last.passed is None:
        return last
    progress = round_progress(qualification, participation.annotator_id)
    if not progress.may_begin:
        return None
    return QualificationAttempt.objects.create(
        qualification=qualification,
        annotator_id=participation.annotator_id,
        number=len(progress.tries) + 1,
        started_at=moment,
    )


@transaction.atomic
def answer_pair(participation: Participation, *, token: str, grade: int, moment: datetime) -> QualificationAnswer:
    """Keep the first answer to a pair of the round; another one changes nothing. The last one ends the attempt.

    Raises `QualificationItem.DoesNotExist` for a pair of another round, and where no attempt is under way.
    """
    qualification = _locked(participation)
    items = QualificationItem.objects.select_related("topic_version", "document_version")
    item = items.get(qualification=qualification, token=token)
    attempt = last_attempt(qualification, participation.annotator_id)
    if attempt is None:
        raise QualificationItem.DoesNotExist("There is no attempt under way.")
    answer = QualificationAnswer.objects.filter(attempt=attempt, item=item).first()
    if answer is not None:
        return answer
    if attempt.passed is not None:
        raise QualificationItem.DoesNotExist("There is no attempt under way.")
    answer = QualificationAnswer.objects.create(attempt=attempt, item=item, grade=grade, answered_at=moment)
    let_go_pair(
        participation.annotator_id, topic=item.topic_version.topic_id, document=item.document_version.document_id
    )
    _end_if_complete(qualification, attempt, moment)
    return answer


def _end_if_complete(qualification: Qualification, attempt: QualificationAttempt, moment: datetime) -> None:
    answers = answers_in(attempt)
    n_pairs = QualificationItem.objects.filter(qualification=qualification).count()
    if len(answers) < n_pairs:
        return
    attempt.ended_at = moment
    attempt.passed = sum(map(is_right, answers)) >= needed(qualification, n_pairs)
    attempt.save(update_fields=["ended_at", "passed"])


def _locked(participation: Participation) -> Qualification:
    """The round that the batch asks for. One person's tabs take turns until the transaction ends.

    Raises `Qualification.DoesNotExist` for a batch that asks for none.
    """
    Annotator.objects.select_for_update(no_key=True).get(pk=participation.annotator_id)
    return Qualification.objects.get(batches=participation.batch_id)
