"""Statements that are compiled once give what the queryset gives, at every use."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from threading import Barrier, BrokenBarrierError

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, F, Model, OuterRef, QuerySet
from django.db.models.signals import post_init, pre_init
from django.db.transaction import TransactionManagementError
from django.utils import timezone

from annotation.models import Card, Item, Slot, WorkSession
from annotation.models.prepared import KEY, MOMENT, WORD, Blank, Insert, Rows, Update, Values, apply_together
from tests.factories import make_annotator, make_batch, make_collection, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("sql")]
NOW = timezone.now()


def slots() -> list[Slot]:
    collection = make_collection()
    return list(make_batch(collection, [make_annotator(collection)], n_documents=3, judgments_per_item=2).slots.all())


def test_rows_are_filled_anew_at_each_use_with_what_is_joined_and_annotated() -> None:
    one, two = slots()[:2]
    Slot.objects.filter(pk=two.pk).update(state="leased", lease_until=NOW)
    rows = Rows(
        lambda: (
            Slot.objects.filter(pk=Blank("pk", KEY), state=Blank("state", WORD))
            .select_related("item__document_version", "reserved_for")
            .annotate(has_item=Exists(Item.objects.filter(pk=OuterRef("item"))))
        )
    )
    (first,), (second,) = rows.all(pk=one.pk, state="open"), rows.all(pk=two.pk, state="leased")
    assert (first, first.item, first.reserved_for) == (one, one.item, None)
    assert first.item.document_version == one.item.document_version
    assert (second.lease_until, vars(second)["has_item"]) == (NOW, True)
    assert rows.first(pk=one.pk, state="leased") is None


def test_a_row_has_the_attributes_that_the_queryset_gives_it() -> None:
    """Rows are filled past `Model.__init__` and `Model.from_db`, by `klass_info` of Django's compiler."""
    slots()

    def joined() -> QuerySet[Slot]:
        return Slot.objects.select_related("item__document_version", "reserved_for").order_by("pk")

    def attributes(model: Model) -> dict[str, object]:
        state = vars(model._state)
        cached = {name: attributes(each) if each else None for name, each in state.get("fields_cache", {}).items()}
        return {**vars(model), "_state": {**state, "fields_cache": cached}}

    assert [attributes(slot) for slot in Rows(joined).all()] == [attributes(slot) for slot in joined()]


def test_no_model_does_on_loading_what_rows_leave_out() -> None:
    for model in apps.get_models():
        assert model.from_db.__func__ is Model.from_db.__func__, model  # type: ignore[attr-defined]
        assert "__init__" not in vars(model), model
        assert not pre_init.has_listeners(model), model
        assert not post_init.has_listeners(model), model


def test_values_come_as_the_queryset_converts_them() -> None:
    session = WorkSession.objects.create(user=make_user(), started_at=NOW, last_active_at=NOW)
    asked = Values(
        lambda: WorkSession.objects.filter(last_active_at__lte=Blank("moment", MOMENT)).values_list("pk", "started_at")
    )
    assert asked.rows(moment=NOW) == [[session.pk, NOW]]
    assert asked.rows(moment=NOW - timedelta(seconds=1)) == []


def test_a_change_says_how_many_rows_it_changed() -> None:
    item = slots()[0].item
    more = Update(
        lambda: Item.objects.filter(pk=Blank("pk", KEY), n_judged__lt=Blank("most", KEY)), n_judged=F("n_judged") + 1
    )
    assert [more.apply(pk=item.pk, most=2) for _ in range(3)] == [1, 1, 0]
    item.refresh_from_db()
    assert item.n_judged == 2


def test_a_change_to_nothing_is_one() -> None:
    slot = slots()[0]
    Slot.objects.filter(pk=slot.pk).update(state="leased", lease_until=NOW)
    let_go = Update(lambda: Slot.objects.filter(pk=Blank("pk", KEY)), state="open", lease_until=Blank("until", MOMENT))
    assert let_go.apply(pk=slot.pk, until=None) == 1
    slot.refresh_from_db()
    assert (slot.state, slot.lease_until) == ("open", None)


COUNTED = Update(lambda: Item.objects.filter(pk=Blank("pk", KEY)), n_judged=F("n_judged") + Blank("more", KEY))


def test_changes_that_go_together_are_all_made_in_their_order() -> None:
    item = slots()[0].item
    twice = Update(lambda: Item.objects.filter(pk=Blank("pk", KEY)), n_judged=F("n_judged") * 2)
    for _ in range(4):  # PostgreSQL keeps the plans from the third time on
        Item.objects.update(n_judged=0)
        more = (COUNTED, {"pk": item.pk, "more": 3})
        apply_together([more, (twice, {"pk": item.pk}), more])
        item.refresh_from_db()
        assert item.n_judged == 9


def test_of_changes_that_go_together_one_that_fails_undoes_all() -> None:
    """The error is Django's, and the connection goes on."""
    slot = slots()[0]
    unknown = Update(lambda: Slot.objects.filter(pk=Blank("pk", KEY)), state=Blank("state", WORD))
    with pytest.raises(IntegrityError), transaction.atomic():
        apply_together([(COUNTED, {"pk": slot.item_id, "more": 1}), (unknown, {"pk": slot.pk, "state": "lost"})])
    slot.refresh_from_db()
    assert (slot.state, slot.item.n_judged) == ("open", 0)


def test_what_is_added_is_stored_with_its_defaults_and_constraints_hold() -> None:
    user = make_user()
    added = Insert(WorkSession)
    session = added.add(WorkSession(user=user, started_at=NOW, last_active_at=NOW))
    assert WorkSession.objects.get() == session
    assert (WorkSession.objects.get().n_judged, WorkSession.objects.get().ended_at) == (0, None)
    with pytest.raises(IntegrityError), transaction.atomic():
        added.add(WorkSession(user=user, started_at=NOW, last_active_at=NOW))
    session.n_judged = 5
    session.save()
    assert WorkSession.objects.get().n_judged == 5


def test_a_name_without_a_value_is_a_fault() -> None:
    asked = Rows(lambda: Card.objects.filter(token=Blank("token", WORD)))
    with pytest.raises(KeyError):
        asked.all()


def test_after_an_error_nothing_is_executed_until_the_transaction_ends() -> None:
    user, added = make_user(), Insert(WorkSession)
    running = WorkSession(user=user, started_at=NOW, last_active_at=NOW)
    with transaction.atomic():
        with suppress(IntegrityError), transaction.atomic(savepoint=False):
            for _ in range(2):
                added.add(running)
        with pytest.raises(TransactionManagementError):
            added.add(running)


def test_who_listens_to_a_connection_hears_each_statement() -> None:
    sql: list[str] = []

    def listen(execute: Callable[..., object], text: str, *rest: object) -> object:
        sql.append(text)
        return execute(text, *rest)

    with connection.execute_wrapper(listen):
        COUNTED.apply(pk=0, more=1)
        Insert(WorkSession).add(WorkSession(user=make_user(), started_at=NOW, last_active_at=NOW))
    assert [text.split()[0] for text in (sql[0], sql[-1])] == ["UPDATE", "INSERT"]


def test_what_is_added_keeps_what_it_is_joined_to(django_assert_num_queries: object) -> None:
    user = make_user()
    session = Insert(WorkSession).add(WorkSession(user=user, started_at=NOW, last_active_at=NOW))
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert session.user is user


@pytest.mark.django_db(transaction=True)
def test_threads_that_come_at_once_find_it_compiled_once() -> None:
    (one, *_), calls, both_here = slots(), list[int](), Barrier(2, timeout=1)

    def make() -> QuerySet[Slot]:
        calls.append(1)
        with suppress(BrokenBarrierError):
            both_here.wait()  # if the other one compiled it too, both would go on here together
        return Slot.objects.filter(pk=Blank("pk", KEY))

    statement = Rows(make)

    def ask(_: int) -> Slot | None:
        try:
            return statement.first(pk=one.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(ask, range(2))) == [one, one]
    assert len(calls) == 1
