"""Saying afterwards who is a machine: on record, reversible, and never of whoever is a person here."""

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Annotator, AuditEvent
from annotation.people.steps.annotator_kind import KindError, set_kind
from tests.annotation.exchange.steps.import_work import stored
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_collection, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

FILE = "query\tdocno\tannotator\tgrade\n1\tA\tw1\t4\n"


def brought() -> Annotator:
    collection = make_collection()
    stored(collection, "judgments", FILE, name="crowd")
    return Annotator.objects.get(collection=collection)


def test_a_person_from_a_file_becomes_a_machine_and_a_person_again_on_record() -> None:
    annotator, actor = brought(), make_user("lead")
    for kind in ("machine", "person"):
        set_kind(annotator, kind=kind, reason="The file came from a model.", actor=actor)
        annotator.refresh_from_db()
        assert annotator.kind == kind
    events = AuditEvent.objects.filter(verb__startswith="annotator marked").order_by("pk")
    assert [(event.verb, event.subject, event.actor, event.detail) for event in events] == [
        ("annotator marked as a machine judge", "w1", actor, {"reason": "The file came from a model."}),
        ("annotator marked as a person", "w1", actor, {"reason": "The file came from a model."}),
    ]
    assert annotator.judgments.count() == 1


def test_nothing_to_change_is_said() -> None:
    with pytest.raises(KindError, match="w1 is a person already"):
        set_kind(brought(), kind="person", reason="x", actor=None)


def test_who_has_an_account_or_held_a_slot_is_a_person() -> None:
    worked = make_worked()
    amber = worked.people["Amber"]
    with pytest.raises(KindError, match="has an account"):
        set_kind(amber, kind="machine", reason="x", actor=None)
    Annotator.objects.filter(pk=amber.pk).update(user=None)
    with pytest.raises(KindError, match="laid out here"):
        set_kind(amber, kind="machine", reason="x", actor=None)
    assert not AuditEvent.objects.filter(verb__startswith="annotator marked").exists()


def test_the_database_gives_no_machine_an_account() -> None:
    amber = make_worked().people["Amber"]
    for change in ({"kind": "machine"}, {"kind": "robot", "user": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Annotator.objects.filter(pk=amber.pk).update(**change)
