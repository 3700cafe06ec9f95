"""Correcting and withdrawing gold: whom it touches is said before, and who is brought back by it."""

import pytest

from annotation.gold.read.current import GoldChange
from annotation.gold.steps.events import GoldError
from annotation.judging.read.pauses import current_pause
from annotation.models import AuditEvent, Batch, ExclusionEvent, GoldEvent, PauseEvent, Rule, Slot
from annotation.review.steps.gold_changes import change_gold
from annotation.trust.read.gold_effect import Effect, Touched, effect_of
from annotation.trust.steps.exclusions import exclude_annotator, reinstate_annotator
from annotation.trust.steps.pausing import pause_annotator
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]


def change(worked: Worked, docno: str, grade: int | None, *accepted: int) -> GoldChange:
    item = worked.items[docno]
    return GoldChange(item.topic, item.document, grade, accepted, "it was wrong")


def moved(people: list[Touched]) -> dict[str, str]:
    return {person.pseudonym: f"{person.before.standing} to {person.after.standing}" for person in people}


def effect(worked: Worked, docno: str, grade: int | None, *accepted: int) -> Effect:
    return effect_of(worked.collection, change(worked, docno, grade, *accepted))


def test_a_withdrawal_takes_a_judgment_from_everybody_who_made_one() -> None:
    """Amber has nine gold judgments left of ten, and Birch is right on 13 of 19; Cedar and Dune stay what they are."""
    outcome = effect(make_worked(), "G05", None)
    assert (outcome.n_rescored, len(outcome.people)) == (4, 4)
    assert moved(outcome.changed) == {"Amber": "reliable to unproven", "Birch": "reliable to unreliable"}
    assert [person.pseudonym for person in outcome.people] == ["Amber", "Birch", "Cedar", "Dune"]
    assert (outcome.people[0].before.n_right, outcome.people[0].after.n_right) == (9, 8)


def test_a_correction_touches_whose_answer_was_right_or_becomes_it() -> None:
    """On G09 Amber and Cedar gave 4 and Birch 1; corrected to 4, Birch has 13 of 20."""
    worked = make_worked()
    assert moved(effect(worked, "G09", 4).changed) == {"Birch": "reliable to unreliable"}
    wider = effect(worked, "G09", 1, 4)
    assert {person.pseudonym for person in wider.people} == {"Amber", "Cedar"}
    assert wider.changed == []
    assert effect(worked, "G09", 1).is_nothing


def test_ordinary_pairs_become_gold_with_all_that_was_said_of_them() -> None:
    worked = make_worked()
    outcome = effect(worked, "d1", 3)
    assert (outcome.n_rescored, outcome.last_event) == (4, 0)
    assert moved(outcome.changed) == {}


def test_cards_of_the_pair_that_people_have_before_them_are_counted_while_the_batch_goes_on() -> None:
    worked = make_worked()
    item, dune = worked.items["G15"], worked.people["Dune"]
    Slot.objects.filter(item=item).update(reserved_for=dune, due=0)
    n_slots = Slot.objects.filter(item=item).count()
    assert effect(worked, "G15", None).n_ahead == n_slots > 0
    Batch.objects.update(state=Batch.State.CLOSED)
    assert effect(worked, "G15", None).n_ahead == 0


def test_looking_changes_nothing() -> None:
    worked = make_worked()
    before = (GoldEvent.objects.count(), AuditEvent.objects.count())
    effect(worked, "G05", None)
    assert (GoldEvent.objects.count(), AuditEvent.objects.count()) == before


def test_who_was_excluded_by_the_watch_comes_back_when_its_reason_is_gone() -> None:
    """Six right, six critical errors: stopped at the twelfth. With one of them accepted, the watch goes on."""
    worked, admin = make_worked(), make_user()
    cedar = worked.people["Cedar"]
    exclude_annotator(cedar, reason="The watch.", actor=admin, rule=Rule.STOP)
    pause_annotator(cedar, reason="The watch.", actor=None, rule=Rule.STOP)
    outcome = effect(worked, "G11", 1, 4)
    assert [person.pseudonym for person in outcome.freed] == ["Cedar"]
    done = change_gold(
        worked.collection,
        change(worked, "G11", 1, 4),
        effect=outcome,
        seen=outcome.last_event,
        bring_back={"Cedar"},
        actor=admin,
    )
    assert list(done.brought_back) == ["Cedar"]
    event = ExclusionEvent.objects.latest("pk")
    assert (event.action, event.rule, event.created_by) == ("reinstate", Rule.CORRECTION, admin)
    assert event.reason == (
        "Gold was changed, topic g, document G11: set to 1 (4 accepted besides). On gold now 7 right of 12."
    )
    assert PauseEvent.objects.latest("pk").rule == Rule.CORRECTION
    assert current_pause(cedar) is None
    verbs = set(AuditEvent.objects.filter(collection=worked.collection).values_list("verb", flat=True))
    assert {"gold set", "annotator reinstated", "annotator resumed"} <= verbs
    assert AuditEvent.objects.filter(verb="gold set").latest("pk").detail == {
        "grade": 1,
        "accepted": "1, 4",
        "before": "1 (accepted: 1)",
        "reason": "it was wrong",
        "scored_anew": 1,
        "brought_back": "Cedar",
    }


def test_a_withdrawal_and_a_first_setting_say_what_was_before() -> None:
    worked = make_worked()
    for docno, grade in (("G09", None), ("d1", 3)):
        this = change(worked, docno, grade)
        change_gold(worked.collection, this, effect=effect_of(worked.collection, this), actor=None)
    gone = AuditEvent.objects.get(verb="gold withdrawn")
    was = {"before": "1 (accepted: 1)", "reason": "it was wrong", "scored_anew": 3, "brought_back": "nobody"}
    assert (gone.subject, gone.detail) == ("topic g, document G09", was)
    new = AuditEvent.objects.filter(verb="gold set").latest("pk").detail
    assert (new["grade"], new["before"], new["scored_anew"]) == (3, "no gold", 4)


@pytest.mark.parametrize(
    ("rule", "chosen"),
    [(Rule.STOP, set()), ("", {"Cedar"}), (Rule.SPEED, {"Cedar"})],
    ids=["unticked", "hand", "speed"],
)
def test_nobody_comes_back_who_was_not_chosen_or_is_not_freed(rule: str, chosen: set[str]) -> None:
    worked = make_worked()
    exclude_annotator(worked.people["Cedar"], reason="For a reason.", actor=None, rule=rule)
    this = change(worked, "G11", 1, 4)
    outcome = effect_of(worked.collection, this)
    assert [person.pseudonym for person in outcome.people] == ["Cedar"]
    done = change_gold(worked.collection, this, effect=outcome, bring_back=chosen, actor=None)
    assert list(done.brought_back) == []
    assert not ExclusionEvent.objects.filter(action="reinstate").exists()


def test_a_pause_by_the_watch_ends_and_an_exclusion_by_hand_stays() -> None:
    worked = make_worked()
    cedar = worked.people["Cedar"]
    pause_annotator(cedar, reason="The watch.", actor=None, rule=Rule.STOP)
    exclude_annotator(cedar, reason="Lent the account.", actor=None)
    this = change(worked, "G11", 1, 4)
    outcome = effect_of(worked.collection, this)
    assert [(person.exclusion_over, person.pause_over) for person in outcome.freed] == [(False, True)]
    change_gold(worked.collection, this, effect=outcome, bring_back={"Cedar"}, actor=None)
    assert current_pause(cedar) is None
    assert ExclusionEvent.objects.latest("pk").action == "exclude"


def test_who_was_excluded_by_hand_is_mentioned_and_left() -> None:
    """Cedar is at 8 of 12 by two wider sets; a third makes 9, which is reliable."""
    worked = make_worked()
    for docno in ("G06", "G07"):
        this = change(worked, docno, 1, 4)
        change_gold(worked.collection, this, effect=effect_of(worked.collection, this), actor=None)
    exclude_annotator(worked.people["Cedar"], reason="Seen at the pub.", actor=None)
    outcome = effect(worked, "G08", 1, 4)
    assert moved(outcome.changed) == {"Cedar": "unreliable to reliable"}
    (cedar,) = outcome.people
    assert (cedar.pseudonym, cedar.rises, cedar.exclusion_over, outcome.freed) == ("Cedar", True, False, [])


def test_the_rule_of_accuracy_lets_go_of_who_is_not_unreliable() -> None:
    worked = make_worked()
    for docno in ("G06", "G07"):
        this = change(worked, docno, 1, 4)
        change_gold(worked.collection, this, effect=effect_of(worked.collection, this), actor=None)
    exclude_annotator(worked.people["Cedar"], reason="Accuracy.", actor=None, rule=Rule.ACCURACY)
    assert effect(worked, "G00", 1, 2).freed == []  # touches nobody
    assert [person.pseudonym for person in effect(worked, "G08", 1, 4).freed] == ["Cedar"]


def test_a_pair_that_was_changed_meanwhile_is_looked_at_again() -> None:
    worked = make_worked()
    outcome = effect(worked, "G05", None)
    this = change(worked, "G05", 3)
    change_gold(worked.collection, this, effect=effect_of(worked.collection, this), actor=None)
    with pytest.raises(GoldError, match="changed meanwhile"):
        change_gold(worked.collection, change(worked, "G05", None), effect=outcome, seen=outcome.last_event, actor=None)
    assert GoldEvent.objects.latest("pk").grade == 3


def test_somebody_was_quicker_to_bring_back() -> None:
    worked = make_worked()
    cedar = worked.people["Cedar"]
    exclude_annotator(cedar, reason="The watch.", actor=None, rule=Rule.STOP)
    this = change(worked, "G11", 1, 4)
    outcome = effect_of(worked.collection, this)
    reinstate_annotator(cedar, reason="Looked.", actor=None)
    done = change_gold(worked.collection, this, effect=outcome, bring_back={"Cedar"}, actor=None)
    assert list(done.brought_back) == []
    assert GoldEvent.objects.latest("pk").accepted == [1, 4]
