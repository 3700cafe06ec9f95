"""Judgments read from kept files are those of the tables, whatever has happened to either since."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from annotation.gold.steps.events import set_gold, withdraw_gold
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.judging.steps.undo import reopen
from annotation.kernel.clock import now
from annotation.kernel.judged import keeping, parts, reading
from annotation.kernel.judged.keeping import keep_columns, sweep_columns
from annotation.kernel.judged.parts import parts_of
from annotation.kernel.judged.reading import read_items, read_judgments
from annotation.kernel.judged.rows import JUDGMENT, Rows, judgment_rows, microseconds
from annotation.kernel.judgment_counts import recount_batch
from annotation.kernel.store import path_of
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Collection,
    Feedback,
    Item,
    Judgment,
    KeptColumns,
    Planting,
    Slot,
)
from annotation.quality.policy import Policy
from annotation.quality.purpose import Purpose
from annotation.quality.trust import WatchSettings
from annotation.trust.pages.report import quality_report
from annotation.trust.read.judgments import kept_inputs, policy_inputs
from annotation.trust.read.kept import MOST_RESULTS, clear_memory, remembered
from annotation.trust.read.policies import unsaved_default
from annotation.trust.steps.exclusions import exclude_annotator, reinstate_annotator
from annotation.trust.steps.pausing import pause_annotator
from annotation.trust.steps.watch import choose_watch
from tests.annotation.qualified import place_in
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import (
    make_annotator,
    make_batch,
    make_decision,
    make_golds,
    make_items,
    make_judgment,
    make_judgments,
    make_user,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both("reads")]


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is judged in a test is kept at once."""
    monkeypatch.setattr(keeping, "SETTLED", -3_600_000_000)
    monkeypatch.setattr(keeping, "_looks", [])
    clear_memory()


def keep(worked: Worked) -> None:
    for batch in worked.collection.batches.all():
        keep_columns(batch, behind=1, least=1)


def frozen(worked: Worked) -> bytes:
    return policy_inputs(worked.collection, [worked.batch]).to_bytes()


def from_tables(worked: Worked) -> bytes:
    """The same, with nothing kept."""
    kept = list(KeptColumns.objects.all())
    KeptColumns.objects.all().delete()
    inputs = frozen(worked)
    KeptColumns.objects.bulk_create(kept)
    return inputs


def parts_kept(worked: Worked) -> list[parts.Part]:
    return parts_of(KeptColumns.objects.get(batch=worked.batch).judgments)


def judge_by_hand(worked: Worked) -> None:
    """A card claimed, graded, and graded again."""
    (person,) = worked.collection.annotators.filter(pseudonym="Newcomer") or [
        make_annotator(worked.collection, pseudonym="Newcomer")
    ]
    batch = make_batch(worked.collection, [person], scale=worked.batch.scale)
    place, moment = place_in(batch, person), timezone.now()
    card = claim_next(place, moment=moment)
    assert card is not None
    record_judgment(place, token=card.token, grade=2, moment=moment)
    again = reopen(place_in(batch, person), moment=moment)
    assert again is not None
    record_judgment(place_in(batch, person), token=again.token, grade=1, moment=moment)


def tell(worked: Worked) -> None:
    """Amber is told of gold after she judged it, and judges it again."""
    item = worked.items["G00"]
    assignment = Assignment.objects.get(item=item, annotator=worked.people["Amber"])
    Feedback.objects.create(
        batch=worked.batch, annotator=worked.people["Amber"], assignment=assignment, grade=1, created_at=timezone.now()
    )
    make_judgment(item, worked.people["Amber"], 2, created_at=timezone.now() + timedelta(seconds=1))


def judge_gold_elsewhere(worked: Worked) -> None:
    """In another batch, on a pair that is gold here; and on one that is a check there."""
    other = make_batch(worked.collection, [], n_topics=0, scale=worked.batch.scale)
    topic = worked.items["G01"].topic
    items = make_items(other, topic, [worked.items[docno].document for docno in ("G01", "G02", "G03")])
    Planting.objects.create(item=items[1], purpose=Planting.Purpose.CHECK)
    make_judgments([(item, worked.people["Dune"], 1) for item in items])


def steer(worked: Worked) -> None:
    """The batch was laid out with one judgment a pair, and asked for a second one of one pair."""
    policy = unsaved_default(worked.collection)
    policy.save()
    Batch.objects.filter(pk=worked.batch.pk).update(
        judgments_per_item=1, most_judgments=5, target_probability=0.9, steered_by=policy
    )
    worked.batch.refresh_from_db()
    item = worked.items["d1"]
    slots = Slot.objects.filter(item=item).order_by("n")[:2]
    for slot, name in zip(slots, ("Amber", "Birch"), strict=True):
        Slot.objects.filter(pk=slot.pk).update(state=Slot.State.JUDGED)
        met = Assignment.objects.filter(item=item, annotator=worked.people[name], reading=1)
        met.update(slot=slot, state=Assignment.State.JUDGED)
    table = policy_inputs(worked.collection, [worked.batch]).table
    assert (table.purpose == Purpose.ADDED).any()


def with_gold(worked: Worked, **change: object) -> dict[str, Any]:
    item = worked.items["d3"]
    return {"topic": item.topic, "document": item.document, "reason": "", "actor": None, **change}


def take_away(worked: Worked) -> None:
    Judgment.objects.filter(item=worked.items["d5"]).delete()
    recount_batch(worked.batch)


DEEDS: dict[str, Callable[[Worked], object]] = {
    "first judgment": lambda worked: worked.judge("d5", "Amber", 3),
    "revision": lambda worked: worked.judge("d1", "Birch", 0),
    "repeat": lambda worked: worked.judge("d1", "Amber", 0, reading=2),
    "too late": lambda worked: worked.judge("d4", "Birch", 4, surplus=True),
    "not blind, without times": lambda worked: worked.judge("d3", "Dune", 4, blind=False, wall_ms=None, active_ms=None),
    "no grade of the scale": lambda worked: worked.judge("d2", "Dune", -1, early=True),
    "by the judging loop": judge_by_hand,
    "gold elsewhere": judge_gold_elsewhere,
    "gold set": lambda worked: set_gold(worked.collection, grade=2, accepted=[], **with_gold(worked)),
    "gold withdrawn": lambda worked: withdraw_gold(worked.collection, **with_gold(worked)),
    "told": tell,
    "an item more": lambda worked: worked.add_item("late", planted=Planting.Purpose.CHECK),
    "decided": lambda worked: make_decision(worked.items["d4"], 1),
    "excluded": lambda worked: exclude_annotator(worked.people["Cedar"], reason="Away", actor=make_user()),
    "reinstated": lambda worked: reinstate_annotator(worked.people["Cedar"], reason="Back", actor=make_user()),
    "a machine": lambda worked: Annotator.objects.filter(pseudonym="Dune").update(
        kind=Annotator.Kind.MACHINE, user=None
    ),
    "renamed": lambda worked: Annotator.objects.filter(pseudonym="Amber").update(pseudonym="Zinnia"),
    "steered": steer,
    "closed": lambda worked: Batch.objects.filter(pk=worked.batch.pk).update(state=Batch.State.CLOSED),
    "judgments away": take_away,
}


@pytest.mark.parametrize("is_kept_again", [False, True])
def test_after_every_deed_the_columns_are_those_of_the_tables(is_kept_again: bool) -> None:
    worked = make_worked()
    keep(worked)
    for name, deed in DEEDS.items():
        deed(worked)
        if is_kept_again:
            keep(worked)
        expected = from_tables(worked)
        assert frozen(worked) == expected, name
        assert kept_inputs(worked.collection, [worked.batch]).to_bytes() == expected, name
        assert_rows_are_those_of_the_table(worked, name)


def assert_rows_are_those_of_the_table(worked: Worked, name: str) -> None:
    """Read by statements of the test's own."""
    batches = list(worked.collection.batches.values_list("pk", flat=True))
    column = read_judgments(batches, [*(JUDGMENT.names or ())], criterion="relevance")
    rows = Judgment.objects.filter(batch__in=batches).select_related("assignment").order_by("pk")
    names = ("id", "item", "annotator", "grade", "reading", "saved")
    assert list(zip(*(column[each].tolist() for each in names), strict=True)) == [
        (row.pk, row.item_id, row.annotator_id, row.grade, row.assignment.reading, microseconds(row.created_at))
        for row in rows
    ], name
    assert column["wall_ms"].tolist() == [-1 if row.wall_ms is None else row.wall_ms for row in rows], name
    assert column["early"].tolist() == [row.early for row in rows], name
    laid = read_items(batches)
    items = Item.objects.filter(batch__in=batches).select_related("document")
    assert dict(zip(laid.id.tolist(), laid.docnos, strict=True)) == {each.pk: each.document.docno for each in items}


def people_of(worked: Worked) -> str:
    collection = Collection.objects.get()
    return str(quality_report(collection, [worked.batch], Policy()).people)


def test_what_was_worked_out_last_is_shown_until_something_happens() -> None:
    worked = make_worked()
    keep(worked)
    first = quality_report(worked.collection, [worked.batch], Policy())
    assert quality_report(worked.collection, [worked.batch], Policy()) is first
    assert quality_report(worked.collection, [worked.batch], Policy(min_gold=3)) is not first
    cedar, admin = worked.people["Cedar"], make_user()
    deeds: dict[str, Callable[[], object]] = {
        "judged": lambda: worked.judge("d5", "Amber", 3),
        "paused": lambda: pause_annotator(cedar, reason="Fast", actor=admin),
        "excluded": lambda: exclude_annotator(cedar, reason="Away", actor=admin),
        "watched otherwise": lambda: choose_watch(worked.collection, WatchSettings(poor=0.5), actor=admin),
        "simulated": lambda: Annotator.objects.filter(pseudonym="Dune").update(simulated=True),
        "renamed": lambda: Annotator.objects.filter(pseudonym="Amber").update(pseudonym="Zinnia"),
    }
    for name, deed in deeds.items():
        before = people_of(worked)
        deed()
        shown = people_of(worked)
        clear_memory()
        assert shown == people_of(worked), name
        assert shown != before, name


def test_results_of_small_batches_are_not_kept() -> None:
    worked = make_worked()
    first = quality_report(worked.collection, [worked.batch], Policy())
    assert quality_report(worked.collection, [worked.batch], Policy()) is not first


def test_few_results_are_kept() -> None:
    worked = make_worked()
    keep(worked)
    place = (worked.collection, [worked.batch])
    first = quality_report(*place, Policy())
    for n in range(1, MOST_RESULTS + 1):
        quality_report(*place, Policy(min_gold=n))
    assert quality_report(*place, Policy()) is not first
    for criterion in ("readability", "style"):
        remembered(*place, criterion, "nothing", int)
    again = quality_report(*place, Policy())
    remembered(*place, "style", "nothing", int)
    assert quality_report(*place, Policy()) is again


def test_kept_rows_are_not_read_from_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    worked = make_worked()
    keep(worked)
    worked.judge("d5", "Amber", 3)
    seen: list[int] = []
    of_table = judgment_rows

    def watched(judgments: "QuerySet[Judgment]") -> Iterator[Rows]:
        for rows in of_table(judgments):
            seen.append(len(rows))
            yield rows

    monkeypatch.setattr(reading, "judgment_rows", watched)
    before = frozen(worked)
    assert seen == [1]
    assert before == from_tables(worked)


def test_parts_are_joined_so_that_there_are_few() -> None:
    worked = make_worked()
    keep(worked)
    sizes = []
    for n, name in product(range(10, 20), ("Amber", "Dune")):
        worked.judge(f"G{n}", name, 1)
        keep(worked)
        sizes.append(len(parts_kept(worked)))
    assert max(sizes) <= 4
    assert sum(part.n for part in parts_kept(worked)) == Judgment.objects.filter(batch=worked.batch).count()
    assert frozen(worked) == from_tables(worked)


@pytest.mark.alike("files in the store")
@pytest.mark.parametrize("kind", ["judgments", "items", "docnos"])
@pytest.mark.parametrize("harm", ["lost", "cut", "longer", "changed"])
def test_a_file_that_is_lost_or_damaged_is_passed_over_and_made_anew(kind: str, harm: str) -> None:
    worked = make_worked()
    keep(worked)
    right = frozen(worked)
    columns = KeptColumns.objects.get(batch=worked.batch)
    (part,) = parts_of(columns.judgments if kind == "judgments" else columns.items)
    path = path_of(part.docnos if kind == "docnos" else part.sha256)
    data = path.read_bytes()
    if harm == "lost":
        path.unlink()
    else:
        path.chmod(0o600)
        harmed = {"cut": data[:-5], "longer": data + data, "changed": bytes([data[0] ^ 1]) + data[1:]}
        path.write_bytes(harmed[harm])
    assert frozen(worked) == right
    keep(worked)
    assert path.read_bytes() == data
    assert frozen(worked) == right


def test_a_judgment_that_comes_late_under_a_lower_key_is_seen() -> None:
    """On PostgreSQL a key is given before the commit."""
    worked = make_worked()
    worked.judge("d5", "Amber", 3)
    late = Judgment.objects.latest("pk")
    last = Judgment.objects.filter(pk=late.pk)
    values = last.values().get()
    last.delete()
    worked.judge("d5", "Birch", 2)
    keep(worked)
    Judgment.objects.create(**values)
    assert frozen(worked) == from_tables(worked)
    keep(worked)
    assert frozen(worked) == from_tables(worked)
    assert sum(part.n for part in parts_kept(worked)) == Judgment.objects.filter(batch=worked.batch).count()


def test_the_worker_keeps_what_is_settled_of_large_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "SETTLED", 60_000_000)
    worked = make_worked()
    moment = now()
    Judgment.objects.update(created_at=moment - timedelta(minutes=2))
    assert sweep_columns() == 0  # too few
    monkeypatch.setattr(keeping, "LEAST", 10)
    monkeypatch.setattr(keep_columns, "__kwdefaults__", {"behind": 1, "least": 10})
    worked.judge("d5", "Amber", 3)
    assert (sweep_columns(), sweep_columns()) == (1, 0)
    n = Judgment.objects.count()
    assert sum(part.n for part in parts_kept(worked)) == n - 1
    Judgment.objects.filter(item=worked.items["d5"], annotator=worked.people["Amber"]).update(
        created_at=moment - timedelta(minutes=2)
    )
    assert sweep_columns() == 1
    assert sum(part.n for part in parts_kept(worked)) == n


def test_a_batch_on_its_way_in_is_not_kept() -> None:
    worked = make_worked()
    Batch.objects.filter(pk=worked.batch.pk).update(state=Batch.State.IMPORTING)
    assert not list(keeping._with_news(0))


def test_no_name_of_a_person_is_in_the_files() -> None:
    """Who they are stands in the table of annotators alone."""
    worked = make_worked()
    keep(worked)
    kept = KeptColumns.objects.get(batch=worked.batch)
    names = [sha for part in parts_of(kept.judgments + kept.items) for sha in (part.sha256, part.docnos) if sha]
    everything = b"".join(path_of(sha).read_bytes() for sha in names)
    assert not [name for name in worked.people if name.encode() in everything]


def test_gold_of_many_batches_is_found_in_their_files() -> None:
    worked = make_worked()
    judge_gold_elsewhere(worked)
    keep(worked)
    assert frozen(worked) == from_tables(worked)
    make_golds([worked.items["d1"]], 3)
    assert frozen(worked) == from_tables(worked)
