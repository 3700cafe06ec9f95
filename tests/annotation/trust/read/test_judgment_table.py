"""From rows to what a policy reads."""

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Adjudication, Annotator, Batch, GoldEvent, Judgment, Planting, ScaleVersion
from annotation.quality.apply import apply_policy
from annotation.quality.outcome import Outcome
from annotation.quality.policy import Policy
from annotation.quality.purpose import Purpose
from annotation.trust.read.judgments import policy_inputs
from annotation.trust.read.tables import read_table
from annotation.trust.steps.exclusions import exclude_annotator, reinstate_annotator
from tests.annotation.worked_campaign import GOLD_QRELS, QRELS, Worked, make_worked
from tests.factories import make_batch, make_document, make_gold, make_item, make_judgment, make_topic, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("reads")]


def decided(worked: Worked, policy: Policy | None = None, batches: list[Batch] | None = None) -> Outcome:
    inputs = policy_inputs(worked.collection, batches or [worked.batch])
    return apply_policy(inputs, policy or Policy())


def qrels(outcome: Outcome) -> list[tuple[str, str, int]]:
    return [(pair.number, pair.docno, pair.grade) for pair in outcome.frozen_pairs()]


def of_topic_one(outcome: Outcome) -> list[tuple[str, str, int]]:
    return [row for row in qrels(outcome) if row[0] == "1"]


def test_the_example_of_the_docs_through_rows() -> None:
    outcome = decided(make_worked())
    assert qrels(outcome) == [*QRELS, *GOLD_QRELS]
    assert [(pair.docno, pair.reason, pair.min, pair.median, pair.max) for pair in outcome.dropped_pairs()] == [
        ("d3", "grades from 0 to 2 are 2 apart, at most 1 allowed", 0, 1.0, 2),
        ("d4", "1 of 3 judgments reliable, 2 needed", 4, 4.0, 4),
        ("d5", "0 of 2 judgments reliable, 2 needed", 1, 1.0, 1),
    ]
    people = outcome.people
    assert outcome.table.annotators == ("Amber", "Birch", "Cedar", "Dune")
    assert people.accuracy.n_gold.tolist() == [10, 20, 12, 8]
    assert people.accuracy.n_correct.tolist() == [9, 14, 6, 8]
    assert people.believed.tolist() == [True, True, False, False]


def test_the_last_revision_counts() -> None:
    worked = make_worked()
    worked.judge("d1", "Birch", 2)
    assert of_topic_one(decided(worked))[0] == ("1", "d1", 2)


def test_surplus_and_repeats_do_not_count() -> None:
    worked = make_worked()
    worked.judge("d4", "Birch", 4, surplus=True)
    worked.judge("d1", "Amber", 0, reading=2)
    assert of_topic_one(decided(worked)) == QRELS


def test_who_could_see_gold_does_not_count_unless_the_policy_says_so() -> None:
    worked = make_worked()
    worked.judge("d4", "Birch", 4, blind=False)
    assert of_topic_one(decided(worked)) == QRELS
    assert of_topic_one(decided(worked, Policy(count_not_blind=True))) == [*QRELS, ("1", "d4", 4)]


def test_an_exclusion_takes_a_person_out_and_a_reinstatement_gives_the_same_result_as_before() -> None:
    worked = make_worked()
    before = policy_inputs(worked.collection, [worked.batch]).to_bytes()
    admin = make_user()
    exclude_annotator(worked.people["Amber"], reason="Looked away", actor=admin)
    outcome = decided(worked)
    assert of_topic_one(outcome) == []
    assert outcome.people.excluded.tolist() == [True, False, False, False]
    reinstate_annotator(worked.people["Amber"], reason="A mistake", actor=admin)
    assert policy_inputs(worked.collection, [worked.batch]).to_bytes() == before


@pytest.mark.parametrize(("gold_pairs", "n_kept"), [("expert", 20), ("judged", 9), ("omitted", 0)])
def test_gold_from_the_expert_as_judged_or_not_at_all(gold_pairs: str, n_kept: int) -> None:
    """As judged: on G00 to G08 Amber and Birch say 1; on G09 they are 3 apart; on the others Birch is alone."""
    outcome = decided(make_worked(), Policy(gold_pairs=gold_pairs))
    assert [row for row in qrels(outcome) if row[0] == "g"] == GOLD_QRELS[:n_kept]


def test_a_check_never_enters_whether_judged_or_decided_or_gold() -> None:
    worked = make_worked()
    item = worked.add_item("far", planted=Planting.Purpose.CHECK)
    unjudged = worked.add_item("farther", planted=Planting.Purpose.CHECK)
    make_gold(unjudged, 0)
    for name in ("Amber", "Birch"):
        worked.judge("far", name, 0)
    Adjudication.objects.create(
        collection=worked.collection,
        topic=item.topic,
        document=item.document,
        scale=item.scale,
        grade=0,
        reason="For sure",
        created_by=make_user(),
    )
    assert of_topic_one(decided(worked)) == QRELS


def test_the_adjudicator_decides_and_the_last_decision_holds() -> None:
    worked = make_worked()
    item = worked.items["d3"]
    for grade in (4, 1):
        Adjudication.objects.create(
            collection=worked.collection,
            topic=item.topic,
            document=item.document,
            scale=item.scale,
            grade=grade,
            reason="Read it",
            created_by=make_user(),
        )
    outcome = decided(worked)
    assert of_topic_one(outcome) == [*QRELS, ("1", "d3", 1)]
    assert [pair.source for pair in outcome.frozen_pairs() if pair.docno == "d3"] == ["adjudicated"]


def test_a_decision_on_the_same_pair_of_another_collection_decides_nothing_here() -> None:
    worked, item = make_worked(), make_worked().items["d3"]
    Adjudication.objects.create(
        collection=item.collection,
        topic=item.topic,
        document=item.document,
        scale=item.scale,
        grade=4,
        reason="Read it",
        created_by=make_user(),
    )
    assert of_topic_one(decided(worked)) == QRELS


def test_a_decision_that_is_withdrawn_leaves_the_pair_to_its_judgments() -> None:
    worked = make_worked()
    item, details = worked.items["d2"], {"reason": "Read it", "created_by": make_user()}
    for grade, action in ((0, "decide"), (None, "withdraw")):
        Adjudication.objects.create(
            collection=worked.collection,
            topic=item.topic,
            document=item.document,
            scale=item.scale,
            grade=grade,
            action=action,
            **details,
        )
        expected = QRELS if grade is None else [("1", "d1", 3), ("1", "d2", 0)]
        assert of_topic_one(decided(worked)) == expected


def test_withdrawn_gold_and_gold_of_another_scale_version_are_not_scored() -> None:
    worked = make_worked()
    first = worked.items["G00"]
    GoldEvent.objects.create(
        collection=worked.collection,
        topic=first.topic,
        document=first.document,
        scale=first.scale,
        action=GoldEvent.Action.WITHDRAW,
    )
    other = ScaleVersion.objects.create(
        collection=worked.collection, number=2, sha256="1" * 64, grades=first.scale.grades
    )
    GoldEvent.objects.filter(document=worked.items["G01"].document).update(scale=other)
    assert decided(worked).people.accuracy.n_gold.tolist() == [8, 18, 10, 6]


def test_what_was_judged_elsewhere_on_another_scale_version_is_not_scored() -> None:
    worked = make_worked()
    other = ScaleVersion.objects.create(
        collection=worked.collection, number=2, sha256="1" * 64, grades=worked.batch.scale.grades
    )
    first = decided(worked).people.accuracy.n_gold.tolist()
    elsewhere = Batch.objects.get(pk=worked.batch.pk)
    elsewhere.pk, elsewhere.token, elsewhere.name, elsewhere.scale = None, "elsewhere", "Elsewhere", other
    elsewhere.save()
    for name in ("G00", "G01"):
        Judgment.objects.filter(item=worked.items[name]).update(batch=elsewhere, scale=other)
    assert [before - now for before, now in zip(first, decided(worked).people.accuracy.n_gold, strict=True)] == [2] * 4


def test_an_accepted_set_of_grades_is_right() -> None:
    worked = make_worked()
    make_gold(worked.items["G09"], GOLD_QRELS[9][2], accepted=[1, 4])
    assert decided(worked).people.accuracy.n_correct.tolist() == [10, 14, 7, 8]


def other_batch(worked: Worked) -> Batch:
    """A second batch, in which Dune judges two more gold pairs and an ordinary one."""
    batch = Batch.objects.get(pk=worked.batch.pk)
    batch.pk, batch.name, batch.token = None, "second", "second-batch"
    batch.save()
    batch = Batch.objects.select_related("scale").get(name="second")
    for docno in ("G18", "G19"):
        item = make_item(batch, worked.items[docno].topic, worked.items[docno].document)
        make_judgment(item, worked.people["Dune"], 1)
    alone = make_item(batch, make_topic(worked.collection, "2"), make_document(worked.collection, "e1"))
    make_judgment(alone, worked.people["Dune"], 3)
    return batch


def test_accuracy_is_over_the_collection_but_pairs_are_those_of_the_chosen_batches() -> None:
    worked = make_worked()
    other_batch(worked)
    outcome = decided(worked)
    assert outcome.people.accuracy.n_gold.tolist() == [10, 20, 12, 10]
    assert outcome.people.believed.tolist() == [True, True, False, True]
    assert outcome.table.numbers == ("1", "g")
    assert int((outcome.table.purpose == Purpose.ELSEWHERE).sum()) == 2
    # Dune is proven now: d3 has reliable grades 0, 2, 1 and stays too far apart; d4 is kept.
    assert of_topic_one(outcome) == [*QRELS, ("1", "d4", 4)]


def test_a_pair_laid_out_and_judged_by_nobody_is_listed_as_dropped() -> None:
    worked = make_worked()
    worked.add_item("d6")
    assert [(pair.docno, pair.reason, pair.min) for pair in decided(worked).dropped_pairs()][-1] == (
        "d6",
        "no judgment counts, 2 reliable needed",
        None,
    )


def test_the_table_keeps_everything_that_was_saved() -> None:
    worked = make_worked()
    worked.add_item("far", planted=Planting.Purpose.CHECK)
    worked.judge("far", "Dune", 0, surplus=True, blind=False, active_ms=None, wall_ms=3000)
    table, _ = read_table(worked.collection, [worked.batch])
    assert len(table) == 50 + 17 + 1
    last = len(table) - 1
    assert (table.grade[last], table.wall_ms[last], table.active_ms[last]) == (0, 3000, -1)
    assert (table.purpose[last], table.surplus[last], table.blind[last]) == (Purpose.CHECK, True, False)
    assert np.all(np.diff(table.sequence) > 0)


def machine_of(worked: Worked, *, docnos: tuple[str, ...], grade: int = 0) -> Annotator:
    """A machine judge with a batch of its own, as an import makes one: items without slots."""
    machine = Annotator.objects.create(collection=worked.collection, pseudonym="lm", kind=Annotator.Kind.MACHINE)
    batch = make_batch(worked.collection, [machine], n_topics=0, n_documents=0, name="by machine")
    topic = worked.collection.topics.get(number="1")
    for docno in docnos:
        document = worked.collection.documents.filter(docno=docno).first() or make_document(worked.collection, docno)
        item = make_item(batch, topic, document)
        item.slots.all().delete()
        make_judgment(item, machine, grade)
    return machine


def test_machine_judges_stand_beside_people() -> None:
    worked = make_worked()
    before = policy_inputs(worked.collection, [worked.batch]).to_bytes()
    machine = machine_of(worked, docnos=("d1", "d5", "only"))
    batches = list(Batch.objects.order_by("pk"))
    assert policy_inputs(worked.collection, [worked.batch]).to_bytes() == before
    inputs = policy_inputs(worked.collection, batches)
    assert inputs.table.annotators == ("Amber", "Birch", "Cedar", "Dune")
    assert inputs.machines is not None
    assert (inputs.machines.table.annotators, len(inputs.machines.table)) == (("lm",), 3)
    alone, beside = decided(worked), decided(worked, batches=batches)
    assert [list(each.frozen_pairs()) for each in (alone, beside)] == [list(alone.frozen_pairs())] * 2
    assert list(beside.dropped_pairs()) == list(alone.dropped_pairs())  # "only" was laid out for nobody
    counting = Policy(accuracy_threshold=0, count_unproven=True, min_judgments=1, max_range=None, count_machines=True)
    assert ("1", "only", 0) in qrels(decided(worked, counting, batches))
    exclude_annotator(machine, reason="Not the model we meant.", actor=None)
    assert ("1", "only", 0) not in qrels(decided(worked, counting, batches))


def test_a_judge_marked_a_machine_later_leaves_people_and_comes_back() -> None:
    worked = make_worked()
    worked.people["Dune"].user = None
    for kind in (Annotator.Kind.MACHINE, Annotator.Kind.PERSON):
        worked.people["Dune"].kind = kind
        worked.people["Dune"].save()
        inputs = policy_inputs(worked.collection, [worked.batch])
        assert ("Dune" in inputs.table.annotators) is (kind == Annotator.Kind.PERSON)
        assert len(decided(worked).topic) == len(GOLD_QRELS) + 5  # people were asked: all pairs stay on the list


def test_no_batch_is_refused() -> None:
    with pytest.raises(ValueError, match="Choose at least one batch"):
        policy_inputs(make_worked().collection, [])


def test_the_number_of_queries_does_not_depend_on_the_number_of_judgments() -> None:
    worked = make_worked()
    counts = []
    for round_ in range(2):
        with CaptureQueriesContext(connection) as queries:
            policy_inputs(worked.collection, [worked.batch])
        counts.append(len(queries))
        for n in range(3):
            worked.add_item(f"more-{round_}-{n}")
            worked.judge(f"more-{round_}-{n}", "Amber", n)
    assert counts[0] == counts[1] <= 14
