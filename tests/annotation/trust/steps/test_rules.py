"""Rules that pause people by themselves: only where that was chosen, with their numbers, and never against a person's
word."""

from dataclasses import asdict

import pytest
from django.core.management import call_command

from annotation.formats.bundle import quality_rows
from annotation.gold.read.current import GoldChange
from annotation.models import Annotator, AuditEvent, Collection, Job, PauseEvent, Rule
from annotation.quality.trust.rules import RULES, PauseRules
from annotation.review.steps.gold_changes import change_gold
from annotation.trust.read.gold_effect import effect_of
from annotation.trust.read.proposals import proposals
from annotation.trust.steps.exclusions import exclude_annotator, reinstate_annotator
from annotation.trust.steps.pausing import pause_annotator, resume_annotator
from annotation.trust.steps.rules import choose_rules, sweep_rules
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_annotator, make_gold, make_participation, make_user

pytestmark = pytest.mark.django_db
WATCH_REASON = (
    "The watch on critical errors stopped this person after 12 gold pairs: 6 critical errors in 12 gold pairs."
)
ACCURACY_REASON = (
    "Accuracy on gold 50 % (6 of 12 right): below 70 %, which the default policy asks for from 10 gold pairs on."
)


def choose(worked: Worked, **rules: str) -> None:
    Collection.objects.filter(pk=worked.collection.pk).update(pausing=asdict(PauseRules(**rules)))  # type: ignore[arg-type]


def work() -> None:
    call_command("worker", "--once")


def paused() -> list[tuple[str, str, str]]:
    events = PauseEvent.objects.filter(action="pause").order_by("pk")
    return list(events.values_list("annotator__pseudonym", "rule", "reason"))


def names_and_rules(worked: Worked) -> list[tuple[str, str]]:
    return [(each.pseudonym, each.rule) for each in proposals(Collection.objects.get(pk=worked.collection.pk))]


def test_rules_only_propose_until_somebody_chooses_otherwise() -> None:
    worked = make_worked()
    (proposal,) = proposals(worked.collection)
    assert (proposal.pseudonym, proposal.rule, proposal.reason) == ("Cedar", "stop", WATCH_REASON)
    assert proposal.reasons == {"stop": WATCH_REASON, "accuracy": ACCURACY_REASON}
    assert sweep_rules() == 0
    choose(worked)
    assert sweep_rules() == 0
    work()
    assert PauseEvent.objects.count() == 0


@pytest.mark.both("locks")
@pytest.mark.parametrize(("rule", "reason"), [("stop", WATCH_REASON), ("accuracy", ACCURACY_REASON)])
def test_a_rule_that_may_pauses_with_its_name_and_numbers(rule: str, reason: str) -> None:
    worked = make_worked()
    choose(worked, **{rule: "pause"})
    work()
    assert paused() == [("Cedar", rule, reason)]
    event = PauseEvent.objects.get()
    assert (event.created_by, event.told) == (None, "")
    assert list(Annotator.objects.filter(gets_cards=False)) == [worked.people["Cedar"]]
    audited = AuditEvent.objects.get(verb="annotator paused")
    detail = {"rule": rule, "reason": reason, "new_cards": "no"}
    assert (audited.actor, audited.subject, audited.detail) == (None, "Cedar", detail)
    assert names_and_rules(worked) == []


def test_the_alarm_is_a_rule_of_its_own() -> None:
    worked = make_worked()
    for n in range(10):
        make_gold(worked.items[f"G{n:02}"], 1 if n < 7 else 4)
    for n in range(10, 20):
        worked.judge(f"G{n:02}", "Amber", 4)
    assert ("Amber", "alarm") in names_and_rules(worked)
    choose(worked, alarm="pause")
    work()
    assert [(name, rule) for name, rule, _ in paused()] == [("Amber", "alarm"), ("Birch", "alarm")]


def test_who_is_much_faster_than_the_others_is_found() -> None:
    worked = make_worked()
    items = [worked.add_item(f"s{n}", number="2") for n in range(30)]
    for person, (name, seconds) in enumerate(zip([*worked.people, "Elm", "Fern"], [8, 9, 10, 11, 12, 1], strict=True)):
        if name not in worked.people:
            worked.people[name] = _newcomer(worked, name)
        for n, item in enumerate(items):
            ms = seconds * 1000 + 10 * n + person
            worked.judge(item.document.docno, name, 1, active_ms=ms, wall_ms=ms)
    fast = {each.pseudonym: each for each in proposals(worked.collection, among={"speed"})}
    assert list(fast) == ["Fern"]
    assert fast["Fern"].reason.startswith("Answers in 1.1 s (median of 30): ")
    assert proposals(worked.collection, among=set()) == []


def _newcomer(worked: Worked, name: str) -> Annotator:
    annotator = make_annotator(worked.collection, pseudonym=name)
    make_participation(worked.batch, annotator)
    return annotator


def test_who_was_let_go_on_by_hand_is_not_paused_again_by_that_rule() -> None:
    worked = make_worked()
    choose(worked, stop="pause")
    work()
    resume_annotator(worked.people["Cedar"], reason="Spoken with", actor=make_user())
    worked.judge("d4", "Birch", 1)
    assert sweep_rules() == 1
    work()
    assert len(paused()) == 1
    assert names_and_rules(worked) == []


def test_who_came_back_by_a_correction_is_watched_on() -> None:
    worked = make_worked()
    choose(worked, stop="pause")
    work()
    resume_annotator(worked.people["Cedar"], reason="The gold was wrong", actor=make_user(), rule="correction")
    worked.judge("d4", "Birch", 1)
    work()
    assert [name for name, _, _ in paused()] == ["Cedar", "Cedar"]


@pytest.mark.parametrize("rule", ["", "stop"])
def test_who_was_brought_back_by_hand_is_not_paused_for_what_was_known_then(rule: str) -> None:
    worked = make_worked()
    cedar, lead = worked.people["Cedar"], make_user()
    exclude_annotator(cedar, reason="Looked away", actor=lead, rule=rule)
    assert names_and_rules(worked) == []
    reinstate_annotator(cedar, reason="Looked again", actor=lead)
    choose(worked, stop="pause", alarm="pause", accuracy="pause", speed="pause")
    worked.judge("d4", "Birch", 1)
    work()
    assert (paused(), names_and_rules(worked)) == ([], [])


def resumed() -> list[tuple[str, str, str]]:
    events = PauseEvent.objects.filter(action="resume").order_by("pk")
    return list(events.values_list("annotator__pseudonym", "rule", "reason"))


@pytest.mark.both("locks")
@pytest.mark.parametrize("rule", ["stop", "accuracy"])
def test_a_rule_lets_go_on_whom_it_holds_no_more(rule: str) -> None:
    """Six of Cedar's twelve answers on gold are two steps too high, until their gold is corrected."""
    worked = make_worked()
    choose(worked, **{rule: "pause"})
    work()
    for n in (9, 10, 11):
        make_gold(worked.items[f"G{n:02}"], 4)
    work()
    assert paused()[0][:2] == ("Cedar", rule)
    reason = "As gold and settings stand, the rule holds no more: 9 right of 12."
    assert resumed() == [("Cedar", rule, reason)]
    event = PauseEvent.objects.get(action="resume")
    assert event.created_by is None
    assert event.annotator.gets_cards
    audited = AuditEvent.objects.get(verb="annotator resumed")
    assert (audited.detail["rule"], audited.detail["new_cards"]) == (rule, "yes")
    work()
    assert ([name for name, _, _ in paused()].count("Cedar"), len(resumed())) == (1, 1)


@pytest.mark.both("locks")
def test_a_rule_lets_go_when_the_watch_is_made_milder_and_holds_again_when_it_is_not() -> None:
    worked = make_worked()
    choose(worked, stop="pause")
    work()
    Collection.objects.update(watch={"good": 0.6, "poor": 0.3})
    work()
    assert [name for name, _, _ in resumed()] == ["Cedar"]
    Collection.objects.update(watch={})
    work()
    assert [name for name, _, _ in paused()] == ["Cedar", "Cedar"]


@pytest.mark.both("locks")
@pytest.mark.parametrize("how", ["by hand", "confirmed", "excluded", "only proposing"])
def test_no_rule_lets_go_on_whom_a_person_holds(how: str) -> None:
    worked, lead = make_worked(), make_user()
    choose(worked, accuracy="pause", **({} if how == "only proposing" else {"stop": "pause"}))
    cedar = worked.people["Cedar"]
    actor = lead if how in ("by hand", "confirmed") else None
    pause_annotator(cedar, reason="Looked away", actor=actor, rule="" if how == "by hand" else "stop")
    if how == "excluded":
        exclude_annotator(cedar, reason="Lent the account", actor=lead)
    for n in range(6, 12):
        make_gold(worked.items[f"G{n:02}"], 4)
    work()
    assert resumed() == []


def test_who_was_kept_paused_when_gold_was_changed_stays_so() -> None:
    worked, lead = make_worked(), make_user()
    choose(worked, stop="pause")
    work()
    item = worked.items["G11"]
    change = GoldChange(item.topic, item.document, 1, (4,), "it was wrong")
    effect = effect_of(worked.collection, change)
    assert [person.pseudonym for person in effect.freed] == ["Cedar"]
    change_gold(worked.collection, change, effect=effect, bring_back=(), actor=lead)
    work()
    assert resumed() == []
    last = PauseEvent.objects.latest("pk")
    assert (last.action, last.rule, last.created_by) == ("pause", "", lead)
    assert last.reason == "Kept paused when gold was changed, topic g, document G11: set to 1 (4 accepted besides)."


def test_a_pause_by_hand_ends_with_nothing_held_against_anybody_but_what_comes() -> None:
    worked = make_worked()
    cedar, lead = worked.people["Cedar"], make_user()
    pause_annotator(cedar, reason="On holiday", actor=lead)
    assert names_and_rules(worked) == []
    resume_annotator(cedar, reason="Back", actor=lead)
    assert names_and_rules(worked) == []
    for n in range(12, 20):
        worked.judge(f"G{n:02}", "Cedar", 4)
    assert names_and_rules(worked) == [("Cedar", "stop")]
    (proposal,) = proposals(worked.collection)
    assert list(proposal.reasons) == ["stop"]
    assert "8 critical errors in 8 gold pairs" in proposal.reason


def test_who_was_brought_back_after_the_alarm_is_not_stopped_by_the_same_watch() -> None:
    worked = make_worked()
    cedar, lead = worked.people["Cedar"], make_user()
    pause_annotator(cedar, reason="The watch", actor=lead, rule="alarm")
    resume_annotator(cedar, reason="Spoken with", actor=lead)
    for n in range(12, 20):
        worked.judge(f"G{n:02}", "Cedar", 4)
    assert names_and_rules(worked) == []


@pytest.mark.both("locks")
def test_a_rule_that_did_not_hold_when_somebody_came_back_counts_all_their_judgments() -> None:
    worked = make_worked()
    birch, lead = worked.people["Birch"], make_user()
    pause_annotator(birch, reason="On holiday", actor=lead)
    resume_annotator(birch, reason="Back", actor=lead)
    for n in range(3):
        worked.judge(f"G{n:02}", "Birch", 4)
    reasons = {each.pseudonym: each.reasons for each in proposals(worked.collection)}
    assert reasons["Birch"]["accuracy"].startswith("Accuracy on gold 55 % (11 of 20 right)")


def test_it_is_looked_at_once_until_something_changes() -> None:
    worked = make_worked()
    choose(worked, stop="pause")
    assert sweep_rules() == 1
    assert sweep_rules() == 0
    worked.judge("d5", "Birch", 1)
    assert sweep_rules() == 0, "the job that waits will see this judgment"
    work()
    assert sweep_rules() == 1, "what came after a look was asked for is looked at once more"
    work()
    assert sweep_rules() == 0
    worked.judge("d4", "Birch", 1)
    assert sweep_rules() == 1
    work()
    choose(worked, stop="pause", accuracy="pause")
    assert sweep_rules() == 1
    work()
    assert sweep_rules() == 0


@pytest.mark.both("locks")
def test_looks_that_found_nobody_leave_no_jobs_behind() -> None:
    worked = make_worked()
    choose(worked, alarm="pause")
    for n in range(3):
        worked.judge("d4", "Birch", 1 + n % 2)
        work()
    assert Job.objects.filter(kind="apply_rules").count() == 1
    choose(worked, stop="pause")
    work()
    worked.judge("d4", "Birch", 3)
    work()
    results = Job.objects.filter(kind="apply_rules").order_by("pk").values_list("result", flat=True)
    assert list(results) == [{"paused": 1, "resumed": 0}, {"paused": 0, "resumed": 0}]


def test_rules_have_one_name_everywhere() -> None:
    assert list(quality_rows.RULES) == ["", *Rule.values]
    assert {*RULES, "correction"} == set(Rule.values)


def test_closed_batches_are_nobody_s_work() -> None:
    worked = make_worked()
    choose(worked, stop="pause")
    worked.batch.state = "closed"
    worked.batch.save()
    assert (sweep_rules(), names_and_rules(worked)) == (0, [])


@pytest.mark.both("locks")
def test_choosing_rules_is_noted_once() -> None:
    worked, lead = make_worked(), make_user()
    for _ in range(2):
        choose_rules(worked.collection, PauseRules(stop="pause"), note="Ask lead@bees.example", actor=lead)
    event = AuditEvent.objects.get(verb="rules chosen")
    assert (event.actor, event.detail["stop"], event.detail["alarm"]) == (lead, "pause", "propose")
    assert Collection.objects.get().pause_note == "Ask lead@bees.example"
