"""Five cards ahead: in the order in which they would come one at a time, none held for long that others could take."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.corpus.steps.guidelines import revise_guideline
from annotation.judging.steps import tally
from annotation.judging.steps.claiming import MOST_AHEAD, claim_next
from annotation.judging.steps.desk import desk_of
from annotation.judging.steps.grading import record_judgment
from annotation.judging.steps.leases import release_ahead, renew_lease
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.judging.steps.undo import reopen
from annotation.judging.steps.workspace import workspace_of
from annotation.kernel.blocks import lock_slots
from annotation.models import Annotator, Assignment, Batch, Card, Item, Judgment, Participation, Slot, User, WorkSession
from tests.annotation.exchange.steps.test_locks import Other
from tests.factories import make_annotator, make_batch, make_collection, make_document, make_item
from tests.journeys.invariants import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
however_few = pytest.mark.parametrize("ahead", [MOST_AHEAD, 0])  # what a program asks for ahead


@pytest.fixture(autouse=True)
def counted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "RECOUNT_AFTER", -1.0)


def batch_for(people: int = 1, **settings: object) -> tuple[Batch, list[Participation]]:
    collection = make_collection()
    whole = {"n_documents": 12, "judgments_per_item": 1, **settings}
    batch = make_batch(collection, [make_annotator(collection) for _ in range(people)], **whole)  # type: ignore[arg-type]
    return batch, list(batch.participations.order_by("id"))


def claim(person: Participation, moment: object = NOW, *, ahead: int = MOST_AHEAD, page: str = "") -> list[Card]:
    claim_next(person, moment=moment, ahead=ahead, page=page)  # type: ignore[arg-type]
    return cards_of(person, moment)


def cards_of(person: Participation, moment: object = NOW) -> list[Card]:
    return workspace_of(Participation.objects.get(pk=person.pk), moment=moment).cards  # type: ignore[arg-type]


def grade(person: Participation, card: Card, moment: object = NOW, *, ahead: int = MOST_AHEAD) -> list[Card]:
    """The person's cards after it."""
    _, workspace = record_judgment(person, token=card.token, grade=2, moment=moment, ahead=ahead)  # type: ignore[arg-type]
    return workspace.cards


def items_met(batch: Batch, person: Participation, *, ahead: int) -> list[int]:
    """The places of all items in the batch, in the order in which the person judges them."""
    place = {pk: at for at, pk in enumerate(batch.items.order_by("pk").values_list("pk", flat=True))}
    cards, met = claim(person, ahead=ahead), []
    while cards:
        met.append(place[cards[0].assignment.item_id])
        cards = grade(person, cards[0], ahead=ahead)
    return met


def n_leased(batch: Batch) -> int:
    return Slot.objects.filter(batch=batch, state=Slot.State.LEASED).count()


def test_six_cards_are_held_and_no_seventh() -> None:
    batch, (one,) = batch_for()
    cards = claim(one)
    assert len(cards) == n_leased(batch) == 1 + MOST_AHEAD
    assert [card.shown_at for card in cards] == [NOW, *[None] * MOST_AHEAD]
    assert claim(one) == claim(one, ahead=99) == cards
    assert broken_invariants(batch) == []


def test_each_grade_brings_one_more_behind_those_that_wait() -> None:
    _, (one,) = batch_for()
    cards = claim(one)
    for n in range(1, 5):
        later = grade(one, cards[0], NOW + n * SECOND)
        assert later[:-1] == cards[1:]
        assert (later[0].shown_at, later[-1].shown_at) == (NOW + n * SECOND, None)
        cards = later


@pytest.mark.parametrize(("ahead", "n"), [(0, 1), (1, 2), (3, 4)])
def test_as_many_wait_as_are_asked_for(ahead: int, n: int) -> None:
    _, (one,) = batch_for()
    cards = claim(one, ahead=ahead)
    assert len(cards) == n
    assert len(grade(one, cards[0], ahead=ahead)) == n


@pytest.mark.parametrize("due", [1, 3, 7])
def test_the_order_is_the_same_whether_or_not_cards_are_fetched_ahead(due: int) -> None:
    orders = []
    for ahead in (0, 1, MOST_AHEAD):
        batch, (one,) = batch_for(n_documents=9)
        kept = make_item(batch, batch.items.earliest("id").topic, make_document(batch.collection), shuffle=77)
        kept.slots.update(reserved_for=one.annotator_id, due=due)
        orders.append(items_met(batch, one, ahead=ahead))
    assert orders[0].index(9) == due
    assert orders[0] == orders[1] == orders[2]


@pytest.mark.parametrize("at", [0, 2])
def test_what_is_put_off_while_others_wait_comes_at_the_end_of_the_topic(at: int) -> None:
    """Where nobody fetches ahead it comes after all others, and so it does here."""
    batch, (one,) = batch_for(n_topics=2, n_documents=8)
    cards = claim(one)
    for _ in range(at):
        cards = grade(one, cards[0])
    off = cards[0]
    put_off(one, token=off.token, moment=NOW, ahead=MOST_AHEAD)
    cards, met = cards_of(one), []
    while cards:
        met.append(cards[0].assignment)
        cards = grade(one, cards[0])
    topic = off.assignment.item.topic_id
    of_topic = [assignment.item_id for assignment in met if assignment.item.topic_id == topic]
    assert of_topic[-1] == off.assignment.item_id
    assert [assignment.item.topic_id for assignment in met[: 8 - at]] == [topic] * (8 - at)
    assert broken_invariants(batch) == []


def test_what_is_skipped_makes_room_for_one_more() -> None:
    batch, (one,) = batch_for()
    cards = claim(one)
    skip_item(one, token=cards[0].token, reason=Assignment.SkipReason.OTHER, moment=NOW, ahead=MOST_AHEAD)
    assert cards_of(one)[:-1] == cards[1:]
    assert len(cards_of(one)) == 1 + MOST_AHEAD
    assert broken_invariants(batch) == []


def test_only_one_card_of_the_next_topic_is_fetched_while_one_of_this_is_left() -> None:
    _, (one,) = batch_for(n_topics=2, n_documents=8)
    cards, seen = claim(one), []
    while cards:
        topics = [card.assignment.item.topic_id for card in cards]
        seen.append([topic == topics[0] for topic in topics])
        cards = grade(one, cards[0])
    ending = [[True] * n for n in (6, 6, 6, 5, 4, 3, 2)]
    assert seen == [*ending, [True, False], *ending, [True]]


def test_near_the_end_of_a_batch_that_others_judge_too_fewer_wait() -> None:
    """At most half of what would be each one's of all that is left, and one in any case."""
    batch, (one, two) = batch_for(2, n_documents=24)
    sizes, cards = [], claim(one)
    while cards:
        sizes.append(len(cards) - 1)
        cards = grade(one, cards[0])
    assert sizes == [5] * 4 + [5, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0]
    assert claim(two) == []
    batch.participations.filter(pk=two.pk).update(is_active=False)
    assert broken_invariants(batch) == []


def test_somebody_else_finds_something_while_a_batch_is_nearly_done() -> None:
    _, (one, two) = batch_for(2, n_documents=6)
    assert len(claim(one)) == 2
    assert len(claim(two)) == 2


@pytest.mark.parametrize(("minutes", "n"), [(9, 5), (6, 5), (5, 4), (3, 2), (2, 1), (1, 0)])
def test_before_a_break_a_card_waits_for_each_minute_but_the_last(minutes: int, n: int) -> None:
    _, (one,) = batch_for(session_minutes=20)
    user = User.objects.get(annotators=one.annotator)
    WorkSession.objects.create(user=user, started_at=NOW - (20 - minutes) * MINUTE, last_active_at=NOW - MINUTE)
    assert len(claim(one)) - 1 == n


@however_few
def test_when_the_break_comes_what_waits_goes_back_but_the_next(ahead: int) -> None:
    batch, (one,) = batch_for(session_minutes=20)
    cards = claim(one)
    for minute in (5, 10, 15):
        WorkSession.objects.update(last_active_at=NOW + minute * MINUTE)
        assert renew_lease(one, token=cards[0].token, moment=NOW + minute * MINUTE)
    later = NOW + 21 * MINUTE
    assert grade(one, cards[0], later, ahead=ahead) == cards[1:2]
    assert n_leased(batch) == 1
    assert grade(one, cards[1], later, ahead=ahead) == []
    assert broken_invariants(batch) == []
    assert claim(one, NOW + 60 * MINUTE)[:4] == cards[2:]


@however_few
def test_where_a_changed_guideline_is_to_be_read_only_the_next_card_may_still_be_judged_by_the_old_one(
    ahead: int,
) -> None:
    batch, (one,) = batch_for()
    cards = claim(one)
    revise_guideline(batch.collection, introduction="Anew.", examples="", edge_cases="", actor=None)
    assert grade(one, cards[0], ahead=ahead) == cards[1:2]
    assert desk_of(Participation.objects.get(pk=one.pk), moment=NOW).cards == cards[1:2]
    assert grade(one, cards[1], ahead=ahead) == []
    assert n_leased(batch) == 0


@however_few
def test_what_waits_in_a_paused_batch_goes_back_but_the_next(ahead: int) -> None:
    batch, (one,) = batch_for()
    cards = claim(one)
    Batch.objects.update(state=Batch.State.PAUSED)
    assert grade(one, cards[0], ahead=ahead) == cards[1:2]
    assert n_leased(batch) == 1


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no rows")
@pytest.mark.django_db(transaction=True)
def test_what_is_just_being_withheld_is_not_waited_for_and_goes_back_later() -> None:
    """Of two who refuse, in a paused batch, what waits in the other's page, each would wait for the other."""
    batch, (one,) = batch_for()
    cards = claim(one)
    Batch.objects.update(state=Batch.State.PAUSED)
    with transaction.atomic():
        lock_slots(cards[3].assignment.item_id)
        other = Other(lambda: grade(one, cards[0]))
        assert not other.is_alive()
    other.end()
    assert cards_of(one) == [cards[1], cards[3]]
    assert grade(one, cards[1]) == [cards[3]]
    assert grade(one, cards[3]) == []
    assert broken_invariants(batch) == []


def test_all_go_back_together_and_come_again_as_the_same_cards_in_the_same_order() -> None:
    batch, (one,) = batch_for()
    cards = claim(one, page="a")
    assert release_ahead(one, tokens=[card.token for card in cards[1:]], moment=NOW, page="a") == MOST_AHEAD
    assert cards_of(one) == cards[:1]
    assert broken_invariants(batch) == []
    assert claim(one, page="a") == cards


def test_of_several_pages_the_last_one_gives_back_and_none_what_is_in_front() -> None:
    batch, (one,) = batch_for()
    claim(one, page="a")
    cards = claim(one, page="b")
    tokens = [card.token for card in cards]
    assert release_ahead(one, tokens=tokens, moment=NOW, page="a") == 0
    assert release_ahead(one, tokens=tokens, moment=NOW, page="a") == 0
    assert release_ahead(one, tokens=tokens, moment=NOW, page="b") == MOST_AHEAD
    assert n_leased(batch) == 1


def test_a_foreign_token_among_them_gives_nothing_back() -> None:
    batch, (one, two) = batch_for(2, n_documents=40)
    cards, foreign = claim(one), claim(two)[1]
    with pytest.raises(Card.DoesNotExist):
        release_ahead(one, tokens=[cards[1].token, foreign.token], moment=NOW)
    assert n_leased(batch) == 2 + 2 * MOST_AHEAD


def test_a_heartbeat_prolongs_all() -> None:
    _, (one,) = batch_for()
    cards = claim(one)
    assert renew_lease(one, token=cards[0].token, moment=NOW + 9 * MINUTE)
    assert cards_of(one, NOW + 18 * MINUTE) == cards


def test_what_was_graded_without_a_network_for_longer_than_the_lease_counts_in_its_order() -> None:
    batch, (one,) = batch_for()
    cards = claim(one)
    for card in cards:
        grade(one, card, NOW + 30 * MINUTE)
    judged = Judgment.objects.order_by("pk").values_list("token", "surplus")
    assert list(judged) == [(card.token, False) for card in cards]
    assert broken_invariants(batch) == []


def test_what_was_graded_without_a_network_for_longer_than_the_lease_took_the_time_that_it_took() -> None:
    """With the first grade the leases behind it are taken anew; the cards are the same, handed out long ago."""
    _, (one,) = batch_for(minimum_seconds=5)
    for card in claim(one):
        times = {"wall_ms": 20_000, "active_ms": 15_000}
        record_judgment(one, token=card.token, grade=2, moment=NOW + 30 * MINUTE, ahead=MOST_AHEAD, **times)  # type: ignore[arg-type]
    judged = Judgment.objects.values_list("wall_ms", "active_ms", "early")
    assert list(judged) == [(20_000, 15_000, False)] * (1 + MOST_AHEAD)


def test_whose_leases_lapse_card_by_card_goes_on_in_the_same_order() -> None:
    """A program without a heartbeat, three minutes a card: by the fourth, the leases of the next two have run out."""
    batch, (one,) = batch_for(n_documents=20)
    cards = claim(one)
    for n in range(1, 10):
        later = grade(one, cards[0], NOW + 3 * n * MINUTE)
        assert later[:-1] == cards[1:]
        cards = later
    assert broken_invariants(batch) == []


def test_while_a_card_is_open_again_a_heartbeat_prolongs_those_behind_it() -> None:
    _, (one,) = batch_for()
    cards = grade(one, claim(one)[0])
    reopened = reopen(one, moment=NOW)
    assert reopened is not None
    assert renew_lease(one, token=reopened.token, moment=NOW + 9 * MINUTE)
    assert cards_of(one, NOW + 18 * MINUTE) == [reopened, *cards]


def test_an_undo_leaves_the_cards_that_wait_where_they_are() -> None:
    _, (one,) = batch_for()
    cards = grade(one, claim(one)[0])
    reopened = reopen(one, moment=NOW)
    assert reopened is not None
    assert cards_of(one) == [reopened, *cards]
    assert grade(one, reopened) == cards


def test_a_card_in_the_middle_that_was_skipped_elsewhere_refuses_its_grade_alone() -> None:
    batch, (one,) = batch_for()
    cards = claim(one)
    skip_item(one, token=cards[2].token, reason=Assignment.SkipReason.OTHER, moment=NOW, ahead=MOST_AHEAD)
    for card in cards[:5]:
        grade(one, card)
    assert set(Judgment.objects.values_list("token", flat=True)) == {card.token for card in cards[:5]} - {
        cards[2].token
    }
    assert broken_invariants(batch) == []


def test_what_was_kept_for_somebody_and_given_back_unseen_does_not_come_alone() -> None:
    """Others have finished the block meanwhile: what is in it for this person alone would tell what it is."""
    batch, (one, two) = batch_for(2, n_documents=30)
    kept = _kept_for(batch, one.annotator, due=2)
    cards = claim(one)
    assert cards[2].assignment.item_id == kept.pk
    release_ahead(one, tokens=[card.token for card in cards[1:]], moment=NOW)
    _judge_all(two)
    assert grade(one, cards[0]) == []
    assert desk_of(Participation.objects.get(pk=one.pk), moment=NOW).state == "done"


def test_what_was_kept_for_somebody_and_seen_comes_again_in_any_case() -> None:
    batch, (one, two) = batch_for(2, n_documents=30)
    kept = _kept_for(batch, one.annotator, due=0)
    cards = claim(one)
    assert cards[0].assignment.item_id == kept.pk
    put_off(one, token=cards[0].token, moment=NOW)
    release_ahead(one, tokens=[card.token for card in cards[2:]], moment=NOW)
    _judge_all(two)
    (again,) = grade(one, cards[1])
    assert again.assignment.item_id == kept.pk


def _kept_for(batch: Batch, person: Annotator, *, due: int) -> Item:
    kept = make_item(batch, batch.items.earliest("id").topic, make_document(batch.collection), shuffle=77)
    kept.slots.update(reserved_for=person, due=due)
    return kept


def _judge_all(person: Participation) -> None:
    cards = claim(person)
    while cards:
        cards = grade(person, cards[0])
