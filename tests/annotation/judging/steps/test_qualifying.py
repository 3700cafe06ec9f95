"""A round as a person goes through it: first answers, tries, marks."""

import pytest
from django.utils import timezone

from annotation.judging.read.qualifying import needed, pairs_in_order, round_progress
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_of
from annotation.judging.steps.qualifying import answer_pair, begin_attempt
from annotation.models import (
    Annotator,
    Batch,
    Judgment,
    Qualification,
    QualificationAnswer,
    QualificationAttempt,
    QualificationItem,
)
from tests.annotation.qualified import go_through, make_round, place_in
from tests.factories import make_annotator, make_batch, make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]
NOW = timezone.now()


def asked(**settings: object) -> tuple[Batch, Annotator, Qualification]:
    collection = make_collection()
    annotator = make_annotator(collection)
    qualification = make_round(collection, **settings)  # type: ignore[arg-type]
    return make_batch(collection, [annotator], qualification=qualification), annotator, qualification


def test_only_the_first_answer_counts() -> None:
    batch, annotator, qualification = asked()
    place = place_in(batch, annotator)
    begin_attempt(place, moment=NOW)
    item = qualification.items.order_by("position")[1]
    first = answer_pair(place, token=item.token, grade=0, moment=NOW)
    again = answer_pair(place, token=item.token, grade=2, moment=NOW)
    assert (again.pk, again.grade) == (first.pk, 0)
    assert QualificationAnswer.objects.count() == 1


def test_the_last_answer_ends_the_attempt_and_a_later_one_changes_nothing() -> None:
    batch, annotator, qualification = asked()
    attempt = go_through(place_in(batch, annotator), [0, 2, 4])
    assert (attempt.passed, attempt.ended_at is not None) == (True, True)
    place = place_in(batch, annotator)
    item = qualification.items.latest("position")
    assert answer_pair(place, token=item.token, grade=0, moment=NOW).grade == 4
    assert begin_attempt(place, moment=NOW) is None, "passed is passed"
    assert QualificationAttempt.objects.get().passed is True


@pytest.mark.parametrize(
    ("pass_mark", "n_right", "passed"),
    [
        (0.7, 7, True),
        (0.7, 6, False),
        (0.0, 0, True),
        (1.0, 10, True),
        (1.0, 9, False),
        (0.29, 3, True),
        (0.3, 3, True),
    ],
)
def test_the_pass_mark_is_a_share_of_first_answers(pass_mark: float, n_right: int, passed: bool) -> None:
    batch, annotator, _ = asked(accepted=[[1]] * 10, pass_mark=pass_mark)
    assert go_through(place_in(batch, annotator), [1] * n_right + [0] * (10 - n_right)).passed is passed


def test_a_share_that_is_no_binary_fraction_asks_for_no_pair_more() -> None:
    """0.28 · 25 is 7.000000000000001 in floating point."""
    assert needed(Qualification(pass_mark=0.28), 25) == 7
    assert needed(Qualification(pass_mark=0.29), 25) == 8


def test_tries_come_to_an_end_unless_there_is_none() -> None:
    batch, annotator, qualification = asked(most_attempts=2)
    place = place_in(batch, annotator)
    assert [go_through(place, [1, 1, 1]).passed, go_through(place, [1, 1, 1]).passed] == [False, False]
    assert begin_attempt(place, moment=NOW) is None
    assert desk_of(place, moment=NOW).state == "qualification"
    assert claim_next(place, moment=NOW) is None
    Qualification.objects.update(most_attempts=3)
    assert begin_attempt(place, moment=NOW) is not None
    Qualification.objects.update(most_attempts=0)
    for _ in range(3):
        assert go_through(place, [1, 1, 1]).passed is False
    qualification.refresh_from_db()
    assert round_progress(qualification, annotator.pk).tries_left is None


def test_one_attempt_at_a_time() -> None:
    batch, annotator, _ = asked()
    place = place_in(batch, annotator)
    first = begin_attempt(place, moment=NOW)
    assert begin_attempt(place, moment=NOW) == first
    assert QualificationAttempt.objects.count() == 1


def test_a_closed_round_is_not_begun_but_may_be_ended() -> None:
    batch, annotator, qualification = asked()
    late = make_annotator(batch.collection)
    batch.participations.create(annotator=late, salt=7)
    go_through(place_in(batch, annotator), [0])
    Qualification.objects.update(state="closed")
    assert begin_attempt(place_in(batch, late), moment=NOW) is None
    assert go_through(place_in(batch, annotator), [2, 4]).passed is True
    assert not round_progress(Qualification.objects.get(pk=qualification.pk), late.pk).may_begin


def test_pairs_of_other_rounds_and_answers_without_an_attempt_are_refused() -> None:
    batch, annotator, qualification = asked()
    place, item = place_in(batch, annotator), qualification.items.earliest("pk")
    with pytest.raises(QualificationItem.DoesNotExist):
        answer_pair(place, token=item.token, grade=0, moment=NOW)
    other = make_round(batch.collection, name="Other", prefix="x").items.earliest("pk")
    begin_attempt(place, moment=NOW)
    with pytest.raises(QualificationItem.DoesNotExist):
        answer_pair(place, token=other.token, grade=0, moment=NOW)
    assert not QualificationAnswer.objects.exists()


def test_a_second_try_comes_in_another_order_of_ones_own() -> None:
    batch, annotator, qualification = asked(accepted=[[1]] * 8)
    order = list(qualification.items.order_by("position"))
    place = place_in(batch, annotator)
    first = go_through(place, [0] * 8)
    second = begin_attempt(place, moment=NOW)
    assert second is not None
    assert pairs_in_order(first) == order
    shuffled = pairs_in_order(second)
    assert shuffled != order
    assert (sorted(item.pk for item in shuffled), pairs_in_order(second)) == ([item.pk for item in order], shuffled)


def test_a_round_leaves_no_judgment_and_no_session() -> None:
    batch, annotator, _ = asked()
    go_through(place_in(batch, annotator), [0, 2, 4])
    place = place_in(batch, annotator)
    assert (place.n_judged, Judgment.objects.count(), batch.assignments.count()) == (0, 0, 0)
    assert desk_of(place, moment=NOW).progress.mine_session == 0
