"""The last word on a pair: leases, blind grades, decisions, withdrawals."""

from datetime import datetime, timedelta
from threading import Barrier, Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import (
    Adjudication,
    AdjudicationReading,
    Assignment,
    AuditEvent,
    Batch,
    Collection,
    Item,
    Knew,
    Planting,
    Slot,
    User,
)
from annotation.quality.policy import Policy
from annotation.review.read.adjudication import figures_of, pair_state, prior_knowledge
from annotation.review.read.adjudication.contested import ContestedOptions, ContestedPairs, contested_of
from annotation.review.read.adjudication.queue import reservations_of, waiting_pairs
from annotation.review.steps.adjudication import (
    AdjudicationError,
    decide,
    grade_blind,
    leave_pair,
    look_at_pair,
    open_next,
    open_pair,
    withdraw_decision,
)
from annotation.review.steps.adjudication.readings import HOLD
from annotation.trust.read.judgments import decisions
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_annotator, make_collection, make_gold, make_judgment, make_member, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]
NOW = timezone.now()


def started() -> tuple[Worked, User, User]:
    lead = make_user("lead")
    worked = make_worked(make_collection("bees", admin=lead))
    worked.fill()
    return worked, lead, make_member(worked.collection, make_user("second"), "admin")


def later(**length: float) -> datetime:
    return NOW + timedelta(**length)


def decided(worked: Worked, docno: str, who: User, blind: int, grade: int, *, at: float = 0) -> Adjudication:
    item = worked.items[docno]
    grade_blind(item, grade=blind, reader=who, moment=later(seconds=at))
    based_on = len(pair_state(item, who, moment=NOW).decisions)
    return decide(item, grade=grade, reason="So", based_on=based_on, actor=who, moment=later(seconds=at + 20))


def test_a_decision_takes_the_blind_grade_and_the_times_along() -> None:
    worked, lead, _ = started()
    item = worked.items["d3"]
    open_pair(item, reader=lead, moment=NOW)
    grade_blind(item, grade=2, reader=lead, moment=later(seconds=61))
    decision = decide(item, grade=1, reason="The title misled me", based_on=0, actor=lead, moment=later(seconds=70.5))
    row = Adjudication.objects.get()
    assert (row.pk, row.grade, row.blind_grade, row.changed, row.knew) == (decision.pk, 1, 2, True, "")
    assert (row.blind_ms, row.decide_ms, row.reason) == (61_000, 9_500, "The title misled me")
    assert AdjudicationReading.objects.get().state == "decided"
    event = AuditEvent.objects.get()
    assert (event.verb, event.subject) == ("pair adjudicated", "topic 1, document d3")
    assert event.detail == {"grade": 1, "blind_grade": 2, "reason": "The title misled me"}


def test_nobody_decides_before_their_own_grade() -> None:
    worked, lead, _ = started()
    item = worked.items["d3"]
    open_pair(item, reader=lead, moment=NOW)
    with pytest.raises(AdjudicationError, match="own grade first"):
        decide(item, grade=1, reason="x", based_on=0, actor=lead, moment=NOW)
    with pytest.raises(AdjudicationError, match="no grade 5"):
        decide(item, grade=5, reason="x", based_on=0, actor=lead, moment=NOW)
    assert Adjudication.objects.count() == 0


def test_a_reading_that_began_with_its_grade_has_no_time() -> None:
    worked, lead, _ = started()
    assert decided(worked, "d3", lead, 2, 2).blind_ms is None


def test_a_blind_grade_is_never_changed() -> None:
    worked, lead, _ = started()
    item = worked.items["d3"]
    grade_blind(item, grade=2, reader=lead, moment=NOW)
    grade_blind(item, grade=4, reader=lead, moment=later(seconds=5))
    leave_pair(item, reader=lead)
    grade_blind(item, grade=0, reader=lead, moment=later(seconds=9))
    reading = AdjudicationReading.objects.get()
    assert (reading.grade, reading.seen_at, reading.state) == (2, NOW, "open")
    for wrong in (5, -1):
        with pytest.raises(AdjudicationError, match="no grade"):
            grade_blind(worked.items["d2"], grade=wrong, reader=lead, moment=NOW)


def test_a_pair_is_with_one_person_at_a_time() -> None:
    worked, lead, second = started()
    item = worked.items["d3"]
    open_pair(item, reader=lead, moment=NOW)
    with pytest.raises(AdjudicationError, match="lead is deciding on topic 1, document d3 now"):
        grade_blind(item, grade=1, reader=second, moment=later(minutes=29))
    mine = open_pair(item, reader=lead, moment=later(minutes=29))
    assert mine.held_until == later(minutes=29) + HOLD
    with pytest.raises(IntegrityError), transaction.atomic():
        AdjudicationReading.objects.create(
            collection=worked.collection,
            topic=item.topic,
            document=item.document,
            criterion="relevance",
            scale=item.scale,
            reader=second,
            opened_at=NOW,
            held_until=NOW,
        )
    assert open_pair(item, reader=second, moment=mine.held_until).reader == second


def test_a_lease_that_ran_out_goes_on_unless_somebody_else_came() -> None:
    worked, lead, second = started()
    for docno in ("d2", "d3"):
        grade_blind(worked.items[docno], grade=2, reader=lead, moment=NOW)
    late = later(minutes=31)
    decide(worked.items["d2"], grade=2, reason="Still", based_on=0, actor=lead, moment=late)
    grade_blind(worked.items["d3"], grade=1, reader=second, moment=late)
    with pytest.raises(AdjudicationError, match="second is deciding"):
        decide(worked.items["d3"], grade=2, reason="Mine", based_on=0, actor=lead, moment=late)
    decide(worked.items["d3"], grade=1, reason="Read it", based_on=0, actor=second, moment=late)
    with pytest.raises(AdjudicationError, match="second has decided meanwhile"):
        decide(worked.items["d3"], grade=2, reason="Mine", based_on=0, actor=lead, moment=late)
    again = decide(worked.items["d3"], grade=2, reason="Mine", based_on=1, actor=lead, moment=late)
    assert (again.blind_grade, again.knew) == (2, "")


def test_what_keeps_a_person_from_being_blind_is_kept_with_the_decision() -> None:
    worked, lead, second = started()
    judge = make_annotator(worked.collection, lead, "Lead")
    make_judgment(worked.items["d1"], judge, 3)
    make_gold(worked.items["d2"], 2)
    look_at_pair(worked.items["d4"], reader=lead, moment=NOW)
    knowledge = {docno: prior_knowledge(worked.items[docno], lead) for docno in ("d1", "d2", "d3", "d4")}
    assert knowledge == {"d1": Knew.JUDGED, "d2": Knew.GOLD, "d3": Knew.NOTHING, "d4": Knew.SEEN}
    assert decided(worked, "d1", lead, 3, 3).knew == "judged"
    looked = decide(worked.items["d4"], grade=4, reason="x", based_on=0, actor=lead, moment=later(seconds=30))
    assert (looked.blind_grade, looked.blind_ms, looked.decide_ms, looked.knew) == (None, None, 30_000, "seen")
    decided(worked, "d3", lead, 1, 1)
    revised = decide(worked.items["d3"], grade=2, reason="x", based_on=1, actor=lead, moment=NOW)
    assert (revised.blind_grade, revised.decide_ms, revised.knew) == (None, None, "seen")
    assert prior_knowledge(worked.items["d3"], second) == Knew.NOTHING


def test_a_withdrawal_leaves_the_pair_to_its_judgments() -> None:
    worked, lead, second = started()
    item = worked.items["d3"]
    with pytest.raises(AdjudicationError, match="no decision to withdraw"):
        withdraw_decision(item, reason="x", based_on=0, actor=lead, moment=NOW)
    decided(worked, "d3", lead, 1, 2)
    assert decisions(worked.collection, "relevance") == {("1", "d3"): 2}
    with pytest.raises(AdjudicationError, match="lead has decided meanwhile"):
        withdraw_decision(item, reason="x", based_on=0, actor=second, moment=NOW)
    withdraw_decision(item, reason="A slip", based_on=1, actor=second, moment=NOW)
    assert decisions(worked.collection, "relevance") == {}
    with pytest.raises(AdjudicationError, match="no decision to withdraw"):
        withdraw_decision(item, reason="x", based_on=2, actor=lead, moment=NOW)
    assert list(Adjudication.objects.order_by("pk").values_list("action", "grade", "reason")) == [
        ("decide", 2, "So"),
        ("withdraw", None, "A slip"),
    ]
    event = AuditEvent.objects.latest("pk")
    assert (event.verb, event.detail) == ("decision withdrawn", {"grade_before": 2, "reason": "A slip"})


def test_a_check_is_nobodys_to_decide() -> None:
    worked, lead, _ = started()
    check = worked.add_item("far", planted=Planting.Purpose.CHECK)
    for deed in (open_pair, look_at_pair):
        with pytest.raises(AdjudicationError, match="attention check"):
            deed(check, reader=lead, moment=NOW)
    assert AdjudicationReading.objects.count() == 0


def contested(collection: Collection, worked: Worked, **how: object) -> ContestedPairs:
    return contested_of(collection, [worked.batch], ContestedOptions(Policy(), **how))  # type: ignore[arg-type]


def test_a_pair_that_waits_its_turn_is_not_contested_for_too_few_judgments() -> None:
    """d6 was never judged, d7 is with somebody; d8 is kept from everybody, and nobody is asked for a repeat of d5."""
    worked, _, _ = started()
    for docno in ("d6", "d7", "d8"):
        worked.add_item(docno)
    worked.items["d7"].slots.filter(n=1).update(state="judged")
    worked.items["d7"].slots.filter(n=0).update(state="leased", lease_until=NOW)
    worked.items["d8"].withheld = True
    worked.items["d8"].save()
    Slot.objects.create(
        collection=worked.collection, batch=worked.batch, item=worked.items["d5"], n=9, block=1, reading=2
    )

    def docnos() -> list[str]:
        return [docno for _, docno in contested(worked.collection, worked, wide=4).index_by_pair]

    assert docnos() == ["d3", "d4", "d5", "d8"]
    Batch.objects.update(state="paused")
    assert docnos() == ["d3", "d4", "d5", "d8"]
    Batch.objects.update(state="closed")
    assert docnos() == ["d3", "d4", "d5", "d6", "d7", "d8"]
    Batch.objects.update(state="open")
    Slot.objects.filter(item=worked.items["d6"]).update(state="judged")
    Batch.objects.update(n_expected=F("n_expected") + 1)  # a step, as a judgment of it would be
    assert docnos() == ["d3", "d4", "d5", "d6", "d8"]


def test_next_gives_each_their_own_and_what_was_left_to_others() -> None:
    worked, lead, second = started()
    pairs = contested(worked.collection, worked, wide=4)
    assert [pairs.pair(index) for index in range(3)] == [("1", "d3"), ("1", "d4"), ("1", "d5")]

    def taken(who: User) -> str:
        reservations = reservations_of(worked.collection, who, moment=NOW)
        waiting = waiting_pairs(worked.collection, pairs, reservations)
        item = open_next(worked.collection, waiting.pairs(), reader=who, moment=NOW)
        return item.document.docno if item else ""

    assert (taken(lead), taken(second)) == ("d3", "d4")
    leave_pair(worked.items["d3"], reader=lead)
    assert (taken(lead), taken(second)) == ("d5", "d4")
    leave_pair(worked.items["d4"], reader=second)
    decided(worked, "d3", second, 1, 1)
    assert (taken(lead), taken(second)) == ("d5", "")
    reservations = reservations_of(worked.collection, second, moment=NOW)
    waiting = waiting_pairs(worked.collection, pairs, reservations)
    assert (waiting.n_contested, waiting.n_decided, waiting.n_with_others) == (3, 1, 1)
    assert [(row.docno, row.holder, row.left) for row in waiting] == [("d4", "", True), ("d5", "lead", False)]


def test_the_queue_follows_what_is_judged_skipped_and_said() -> None:
    worked, _, _ = started()

    def reasons() -> dict[str, list[str]]:
        return {row.docno: row.why for row in waiting_pairs(worked.collection, contested(worked.collection, worked))}

    few = ["too few reliable judgments"]
    assert reasons() == {"d3": ["grades too far apart"], "d4": few, "d5": few, "d1": ["wide range"]}
    worked.judge("d2", "Dune", 2, comment="Two topics in one?")
    assert reasons()["d2"] == ["flagged"]
    Item.objects.filter(pk=worked.items["d1"].pk).update(withheld=True)
    assert reasons()["d1"] == ["wide range", "could not be judged"]
    Assignment.objects.filter(item=worked.items["d5"], annotator=worked.people["Dune"]).update(
        state="skipped", skip_reason="other", slot=None
    )
    assert reasons()["d5"] == [*few, "flagged"]


def test_figures_are_of_blind_grades() -> None:
    worked, lead, second = started()
    pairs = contested(worked.collection, worked)
    decided(worked, "d3", lead, 2, 1)  # the median of the reliable is 1
    decided(worked, "d2", second, 2, 2)
    decided(worked, "d5", lead, 1, 1)  # nobody reliable
    make_judgment(worked.items["d1"], make_annotator(worked.collection, second, "Second"), 3)
    decided(worked, "d1", second, 3, 0)  # had judged it: not blind
    look_at_pair(worked.items["d4"], reader=lead, moment=NOW)
    decide(worked.items["d4"], grade=4, reason="x", based_on=0, actor=lead, moment=NOW)
    withdraw_decision(worked.items["d4"], reason="x", based_on=1, actor=lead, moment=NOW)
    figures = figures_of(worked.collection, pairs)
    assert (figures.n_blind, figures.n_unblind, figures.n_withdrawn) == (3, 2, 1)
    grades = figures.grades
    assert [(share.n_yes, share.n) for share in (grades.changed, grades.same, grades.near, grades.towards)] == [
        (1, 3),
        (1, 2),
        (2, 2),
        (1, 1),
    ]


@pytest.mark.django_db(transaction=True)
def test_two_who_come_at_the_same_moment_get_different_pairs() -> None:
    worked, lead, second = started()
    pairs = [("1", docno) for docno in ("d1", "d2", "d3", "d4")]
    together, taken = Barrier(2), dict[User, list[str]]()

    def take(who: User) -> None:
        together.wait()
        for _ in range(2):
            item = open_next(worked.collection, [pair for pair in pairs if pair not in of(who)], reader=who, moment=NOW)
            taken.setdefault(who, []).append(item.document.docno if item else "")
        connection.close()

    def of(who: User) -> set[tuple[str, str]]:
        return {("1", docno) for docno in taken.get(who, [])}

    people = [Thread(target=take, args=(who,)) for who in (lead, second)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(taken[lead] + taken[second]) == ["d1", "d2", "d3", "d4"]
    assert AdjudicationReading.objects.filter(state="open").count() == 4
