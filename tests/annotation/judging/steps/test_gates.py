"""What stands before a card: consent, a round, a changed guideline; and that nothing else changes for it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.corpus.steps.guidelines import GuidelineText, guideline_sha256, revise_guideline
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_of
from annotation.judging.steps.gates import acknowledge_guideline, asked_for, gate_before, give_consent
from annotation.judging.steps.grading import Recorded, record_judgment
from annotation.judging.steps.undo import reopen
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Card,
    Consent,
    GuidelineReading,
    InformationVersion,
    Judgment,
    Participation,
)
from annotation.people.steps.information import revise_information
from tests.annotation.qualified import go_through, make_round, place_in
from tests.factories import make_annotator, make_batch, make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]
NOW = timezone.now()


def begun(**settings: object) -> tuple[Batch, Annotator]:
    collection = make_collection()
    annotator = make_annotator(collection)
    return make_batch(collection, [annotator], **settings), annotator  # type: ignore[arg-type]


def informed(text: str = "We keep your grades.", **settings: object) -> tuple[Batch, Annotator]:
    batch, annotator = begun(**settings)
    batch.information = revise_information(batch.collection, text=text, based_on=0, actor=None)
    batch.save()
    return batch, annotator


def revised(batch: Batch, introduction: str) -> int:
    return revise_guideline(batch.collection, introduction=introduction, examples="", edge_cases="", actor=None).number


def text(introduction: str) -> GuidelineText:
    return GuidelineText(introduction=introduction, examples="", edge_cases="")


def claim(batch: Batch, annotator: Annotator) -> Card | None:
    return claim_next(place_in(batch, annotator), moment=NOW)


def gate(batch: Batch, annotator: Annotator) -> str | None:
    return gate_before(place_in(batch, annotator))


def state(batch: Batch, annotator: Annotator) -> str:
    return desk_of(place_in(batch, annotator), moment=NOW).state


def judge(batch: Batch, annotator: Annotator, grade: int = 2) -> Judgment:
    card = claim(batch, annotator)
    assert card is not None
    outcome, _ = record_judgment(place_in(batch, annotator), token=card.token, grade=grade, moment=NOW)
    assert isinstance(outcome, Recorded)
    return outcome.judgment


def readings(annotator: Annotator) -> list[int]:
    rows = GuidelineReading.objects.filter(annotator=annotator).order_by("pk")
    return list(rows.values_list("guideline__number", flat=True))


def test_the_first_guideline_is_acknowledged_by_starting() -> None:
    batch, annotator = begun()
    assert (gate(batch, annotator), state(batch, annotator), readings(annotator)) == (None, "start", [])
    assert claim(batch, annotator) is not None
    assert readings(annotator) == [1]
    assert place_in(batch, annotator).cleared_for == asked_for(batch)


def test_once_cleared_nothing_is_asked() -> None:
    batch, annotator = begun()
    claim(batch, annotator)
    place = place_in(batch, annotator)
    with CaptureQueriesContext(connection) as seen:
        assert gate_before(place) is None
    assert len(seen) == 0


def test_a_changed_guideline_stops_claims_until_it_is_acknowledged() -> None:
    batch, annotator = begun()
    judge(batch, annotator)
    card = claim(batch, annotator)
    assert card is not None
    number = revised(batch, "Now judge strictly.")
    assert claim(batch, annotator) == card, "what is held is held"
    outcome, _ = record_judgment(place_in(batch, annotator), token=card.token, grade=1, moment=NOW)
    assert isinstance(outcome, Recorded)
    assert outcome.judgment.guideline is not None
    assert outcome.judgment.guideline.number == 1, "the version it was handed out under"
    assert (claim(batch, annotator), state(batch, annotator)) == (None, "guideline")
    assert not acknowledge_guideline(place_in(batch, annotator), number=1, moment=NOW)
    assert claim(batch, annotator) is None
    assert acknowledge_guideline(place_in(batch, annotator), number=number, moment=NOW)
    assert acknowledge_guideline(place_in(batch, annotator), number=number, moment=NOW), "twice is once"
    judgment = judge(batch, annotator)
    assert judgment.guideline is not None
    assert (judgment.guideline.number, readings(annotator)) == (number, [1, number])


def test_a_guideline_that_comes_back_is_acknowledged_again() -> None:
    batch, annotator = begun()
    first = revised(batch, "First")
    judge(batch, annotator)
    for introduction in ("Second", "Third"):
        number = revised(batch, introduction)
        assert acknowledge_guideline(place_in(batch, annotator), number=number, moment=NOW)
    revised(batch, "First")
    assert gate(batch, annotator) == "guideline"
    assert acknowledge_guideline(place_in(batch, annotator), number=first, moment=NOW)
    assert gate(batch, annotator) is None
    assert readings(annotator) == [first, first + 1, first + 2, first]


def test_what_a_person_was_cleared_for_ends_with_the_version() -> None:
    """Also where it was written down while the person acknowledged another version elsewhere."""
    batch, annotator = begun()
    judge(batch, annotator)
    cleared, first = place_in(batch, annotator).cleared_for, batch.collection.guideline
    assert first is not None
    revised(batch, "Second")
    second = batch.collection.guideline_versions.get(number=2)
    GuidelineReading.objects.create(annotator=annotator, guideline=second, read_at=NOW)
    Participation.objects.update(cleared_for=cleared)
    batch.collection.guideline_versions.filter(pk=first.pk).update(sha256=guideline_sha256(text("Judge")))
    assert revised(batch, "Judge") == first.number
    assert gate(batch, annotator) == "guideline"


def test_revising_one_collection_clears_nobody_of_another_and_the_same_text_nobody() -> None:
    batch, annotator = begun()
    judge(batch, annotator)
    number = revised(batch, "Second")
    acknowledge_guideline(place_in(batch, annotator), number=number, moment=NOW)
    judge(batch, annotator)
    cleared = place_in(batch, annotator).cleared_for
    assert cleared
    revised(batch, "Second")
    revised(begun()[0], "Elsewhere")
    assert place_in(batch, annotator).cleared_for == cleared
    revised(batch, "Third")
    assert place_in(batch, annotator).cleared_for == ""


def test_a_change_taken_back_before_the_person_came_is_none() -> None:
    batch, annotator = begun()
    first = revised(batch, "First")
    judge(batch, annotator)
    revised(batch, "Second")
    revised(batch, "First")
    assert (gate(batch, annotator), readings(annotator)) == (None, [first])
    judge(batch, annotator)


def test_acknowledging_in_one_batch_holds_in_the_others() -> None:
    batch, annotator = begun()
    other = make_batch(batch.collection, [annotator])
    judge(batch, annotator)
    judge(other, annotator)
    number = revised(batch, "Changed")
    assert (gate(batch, annotator), gate(other, annotator)) == ("guideline", "guideline")
    acknowledge_guideline(place_in(batch, annotator), number=number, moment=NOW)
    assert (gate(batch, annotator), gate(other, annotator)) == (None, None)


def test_who_judged_before_there_was_acknowledging_is_told_what_changed_since() -> None:
    batch, annotator = begun()
    judge(batch, annotator)
    GuidelineReading.objects.all().delete()
    Participation.objects.update(cleared_for="")
    assert gate(batch, annotator) is None
    revised(batch, "Changed")
    assert gate(batch, annotator) == "guideline"


def test_a_revision_carries_the_guideline_in_mind() -> None:
    batch, annotator = begun()
    first = judge(batch, annotator)
    number = revised(batch, "Changed")
    acknowledge_guideline(place_in(batch, annotator), number=number, moment=NOW)
    claim(batch, annotator)
    card = reopen(place_in(batch, annotator), token="", moment=NOW)
    assert card is not None
    outcome, _ = record_judgment(place_in(batch, annotator), token=card.token, grade=0, moment=NOW)
    assert isinstance(outcome, Recorded)
    assert outcome.judgment.guideline is not None
    assert (outcome.judgment.revision, outcome.judgment.guideline.number) == (2, number)
    first.refresh_from_db()
    assert first.guideline is not None
    assert first.guideline.number == 1


def test_consent_comes_before_everything_and_a_new_version_asks_again() -> None:
    batch, annotator = informed()
    assert (claim(batch, annotator), state(batch, annotator), readings(annotator)) == (None, "information", [])
    assert not Assignment.objects.exists()
    assert not give_consent(place_in(batch, annotator), number=2, moment=NOW)
    assert give_consent(place_in(batch, annotator), number=1, moment=NOW)
    later = NOW + timedelta(hours=1)
    assert give_consent(place_in(batch, annotator), number=1, moment=later), "twice is once"
    assert [each.given_at for each in Consent.objects.all()] == [NOW]
    assert judge(batch, annotator) != judge(batch, annotator)
    revise_information(batch.collection, text="We publish your grades.", based_on=1, actor=None)
    judge(batch, annotator)
    assert (claim(batch, annotator), state(batch, annotator)) == (None, "information")
    assert give_consent(place_in(batch, annotator), number=2, moment=NOW)
    assert claim(batch, annotator) is not None
    assert Consent.objects.count() == 2


def test_consent_once_given_holds_in_every_batch_and_when_a_text_comes_back() -> None:
    batch, annotator = informed("One")
    other = make_batch(batch.collection, [annotator], information=batch.information)
    give_consent(place_in(batch, annotator), number=1, moment=NOW)
    assert gate(other, annotator) is None
    revise_information(batch.collection, text="Two", based_on=1, actor=None)
    revise_information(batch.collection, text="One", based_on=2, actor=None)
    assert InformationVersion.objects.count() == 2
    assert (gate(batch, annotator), gate(other, annotator)) == (None, None)


def test_what_is_held_may_be_handed_in_whatever_is_asked_meanwhile() -> None:
    batch, annotator = informed()
    give_consent(place_in(batch, annotator), number=1, moment=NOW)
    card = claim(batch, annotator)
    assert card is not None
    revise_information(batch.collection, text="Other", based_on=1, actor=None)
    revised(batch, "Changed")
    outcome, workspace = record_judgment(place_in(batch, annotator), token=card.token, grade=1, moment=NOW)
    assert isinstance(outcome, Recorded)
    assert workspace.leased == []


def test_nobody_is_asked_where_there_is_nothing_to_judge() -> None:
    batch, annotator = informed(n_documents=1)
    other = make_annotator(batch.collection)
    Participation.objects.create(batch=batch, annotator=other, salt=9)
    give_consent(place_in(batch, annotator), number=1, moment=NOW)
    judge(batch, annotator)
    revised(batch, "Changed")
    assert state(batch, annotator) == "done"
    for closed in ("paused", "closed"):
        Batch.objects.update(state=closed)
        assert state(batch, other) == closed


def test_a_round_comes_after_consent_and_before_the_first_card() -> None:
    batch, annotator = informed()
    batch.qualification = make_round(batch.collection)
    batch.save()
    assert gate(batch, annotator) == "information"
    give_consent(place_in(batch, annotator), number=1, moment=NOW)
    assert (claim(batch, annotator), state(batch, annotator)) == (None, "qualification")
    go_through(place_in(batch, annotator), [0, 3])
    assert (claim(batch, annotator), gate(batch, annotator)) == (None, "qualification")
    assert go_through(place_in(batch, annotator), [4]).passed is True
    assert claim(batch, annotator) is not None
    assert Judgment.objects.count() == 0


def test_who_has_passed_has_passed_for_every_batch_that_asks() -> None:
    batch, annotator = begun()
    batch.qualification = make_round(batch.collection)
    batch.save()
    other = make_batch(batch.collection, [annotator], qualification=batch.qualification)
    go_through(place_in(batch, annotator), [0, 3, 4])
    assert claim(other, annotator) is not None
