"""Models and migrations say the same, and what migrations do to rows."""

import re
from collections import Counter
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    AlterModelManagers,
    AlterModelOptions,
    CreateModel,
    RemoveField,
    RemoveIndex,
    RenameIndex,
    RunSQL,
)
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.models import GeneratedField, Index, TextField, UniqueConstraint
from django.utils import timezone

from annotation.batches.read.batches import batch_judged
from annotation.batches.steps.batches import assign_annotators, open_batch
from annotation.batches.steps.layout import lay_out
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.models import Batch, Import, Judgment, Participation, Slot, StockItem
from tests.annotation.batches.steps.layout.reserving import reserve
from tests.annotation.campaign import make_campaign
from tests.factories import make_annotator, make_batch, make_collection, make_document, make_item
from tests.journeys.invariants import broken_invariants


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


# The last migrations from before web servers of two versions were to run side by side.
BEFORE_ROLLING = {"annotation": "0027_open_slots_by_index", "evaluation": "0016_ranked_pairs"}
# Later ones for which all machines stop together, as CHANGELOG.md says of their version.
TOGETHER: frozenset[tuple[str, str]] = frozenset()
# Later ones that go unnoticed though no list of operations can say so.
UNNOTICED = {
    ("annotation", "0028_counts_by_index"): "an index in place of that of a foreign key",
    ("annotation", "0029_count_items"): "fills a column that the version before does not know",
    ("annotation", "0030_recount_judged"): "puts counts right that both versions keep",
}
# What a version that knows nothing of it does not notice.
UNSEEN = (AddIndex, RemoveIndex, RenameIndex, CreateModel, AlterModelOptions, AlterModelManagers)


def test_web_servers_of_the_version_before_go_on_after_a_migration() -> None:
    """They neither know a new column, which must therefore fill itself, nor do without an old one."""
    migrations = MigrationLoader(None).disk_migrations
    later = {key for key in migrations if key[0] in BEFORE_ROLLING and key[1] > BEFORE_ROLLING[key[0]]}
    stopping = {key for key in later if any(map(stops_the_version_before, migrations[key].operations))}
    assert stopping == TOGETHER | UNNOTICED.keys()


def stops_the_version_before(operation: Operation) -> bool:
    if isinstance(operation, AddField):
        field = operation.field
        return not (field.null or field.many_to_many or field.has_db_default() or isinstance(field, GeneratedField))
    return not isinstance(operation, UNSEEN)


@pytest.mark.parametrize(
    ("operation", "stops"),
    [
        (AddField("batch", "note", TextField(null=True)), False),
        (AddField("batch", "note", TextField(db_default="")), False),
        (AddField("batch", "note", TextField(default="")), True),
        (RemoveField("batch", "note"), True),
        (AlterField("batch", "note", TextField()), True),
        (AddConstraint("batch", UniqueConstraint(fields=["note"], name="one_note")), True),
        (RunSQL("DROP TABLE batch"), True),
        (AddIndex("batch", Index(fields=["note"], name="by_note")), False),
    ],
)
def test_what_an_earlier_version_would_stumble_over_stops_them(operation: Operation, stops: bool) -> None:
    assert stops_the_version_before(operation) == stops


@pytest.mark.django_db
def test_repeats_go_where_their_person_has_begun_the_block() -> None:
    collection = make_collection()
    person, other = make_annotator(collection), make_annotator(collection)
    batch = make_batch(collection, [person, other], n_documents=2, judgments_per_item=1)
    first = batch.items.earliest("id")
    later = make_item(batch, first.topic, make_document(collection), block=1)
    repeat = {"collection": collection, "batch": batch, "reading": 2, "transferable": False, "due": 1}
    stale = Slot.objects.create(**repeat, item=later, n=2, block=0, reserved_for=person)
    to_come = Slot.objects.create(**repeat, item=first, n=2, block=1, reserved_for=person)
    of_other = Slot.objects.create(**repeat, item=later, n=3, block=0, reserved_for=other)
    batch.participations.update(block=0)
    card = claim_next(batch.participations.get(annotator=person), moment=timezone.now())
    assert card is not None
    assert card.assignment.item.block == 0
    migration = import_module("annotation.migrations.0014_stale_repeats")
    migration.end_stale_repeats(apps, connection.schema_editor())
    assert set(Slot.objects.filter(reading=2)) == {to_come, of_other}
    assert not Slot.objects.filter(pk=stale.pk).exists()


@pytest.mark.both("sql")
@pytest.mark.django_db
def test_people_whose_counts_came_in_a_bundle_are_counted() -> None:
    batch = laid_out_before()
    collection, (one, two, *_) = batch.collection, batch.participations.order_by("pk")
    for person in (one, one, two):
        judge_next(person)
    Import.objects.create(collection=collection, kind=Import.Kind.COLLECTION, filename="a.zip")
    batch.participations.update(n_judged=7)
    migration = import_module("annotation.migrations.0030_recount_judged")
    migration.recount_judged(apps, connection.schema_editor())
    assert list(batch.participations.order_by("pk").values_list("n_judged", flat=True)) == [2, 1, 0, 0]
    assert batch_judged(batch) == 3


@pytest.mark.both("sql")
@pytest.mark.django_db(transaction=True)
def test_a_batch_under_way_goes_on_after_the_upgrade_as_it_was_laid_out() -> None:
    """What was kept for people stays theirs, cards in their hands count, and who joins is planted as the others.

    On the way an index is made anew that a migration which was broken off has left.
    """
    batch = laid_out_before()
    people = list(batch.participations.order_by("pk"))
    for n in range(40):
        judge_next(people[n % len(people)])
    cards = {person: claim_next(person, moment=timezone.now()) for person in people}
    slots = set(Slot.objects.filter(batch=batch).values_list("pk", "reserved_for", "due", "state"))
    try:
        call_command("migrate", "annotation", "0018", verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute("CREATE INDEX slot_open ON annotation_slot (n)")
    finally:
        call_command("migrate", verbosity=0)
    assert first_column("slot_open") == "batch_id"
    assert set(Slot.objects.filter(batch=batch).values_list("pk", "reserved_for", "due", "state")) == slots
    for person, card in cards.items():
        assert card is not None
        record_judgment(person, token=card.token, grade=1, moment=timezone.now())
    newcomer = make_annotator(batch.collection)
    assign_annotators(batch, annotators=[newcomer], actor=None)
    people.append(batch.participations.get(annotator=newcomer))
    while [person for person in people if judge_next(person)]:
        pass
    assert broken_invariants(batch) == []
    assert (
        not Slot.objects.filter(batch=batch, item__planting=None, reading=1).exclude(state=Slot.State.JUDGED).exists()
    )
    gold = Counter(
        Judgment.objects.filter(batch=batch, item__planting__purpose="gold").values_list("annotator", flat=True)
    )
    assert set(gold) == {person.annotator_id for person in people}
    batch.refresh_from_db()
    assert batch.coin_shares is None
    assert not StockItem.objects.exists()


@pytest.mark.both("sql")
@pytest.mark.django_db(transaction=True)  # SQLite writes no migration inside one
def test_the_index_of_a_foreign_key_goes_and_its_table_stays(capsys: pytest.CaptureFixture[str]) -> None:
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, "annotation_assignment").values()
    assert ["annotator_id"] not in [each["columns"] for each in constraints if each["index"]]
    call_command("sqlmigrate", "annotation", "0028")
    assert "CREATE TABLE" not in capsys.readouterr().out


def first_column(index: str) -> str:
    is_large = connection.vendor == "postgresql"
    asked = "indexdef FROM pg_indexes WHERE indexname" if is_large else "sql FROM sqlite_master WHERE name"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {asked} = %s", [index])
        (definition,) = cursor.fetchone()
    (column, *_) = re.findall(r"\(\"?(\w+)\"?\)", definition)
    return str(column)


def laid_out_before() -> Batch:
    batch = make_campaign(n_pairs=24, n_gold=12).draft(
        gold_share=0.2, check_share=0.05, repeat_share=0.05, minimum_seconds=0, session_minutes=0
    )
    lay_out(batch, actor=None)
    reserve(batch)
    open_batch(batch, actor=None)
    return batch


def judge_next(person: Participation) -> bool:
    card = claim_next(person, moment=timezone.now())
    if card is not None:
        record_judgment(person, token=card.token, grade=1, moment=timezone.now())
    return card is not None
