"""Models and migrations say the same, and what migrations do to rows."""

from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotation.judging.steps.claiming import claim_next
from annotation.models import Slot
from tests.factories import make_annotator, make_batch, make_collection, make_document, make_item


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


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
