import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.kernel.audit import record_audit
from annotation.models import AuditEvent
from tests.annotation.roles import ADMINS_ONLY, make_people
from tests.factories import make_collection

pytestmark = pytest.mark.django_db
PAGE = "/c/bees/audit/"


def test_only_admins_see_the_record() -> None:
    assert make_people().statuses(PAGE) == ADMINS_ONLY


def test_the_newest_come_first_and_only_those_of_the_collection() -> None:
    people = make_people()
    for verb in ("one", "two"):
        record_audit(verb, actor=people.admin, collection=people.collection, subject="x", n=1)
    record_audit("elsewhere", actor=people.admin, collection=make_collection())
    record_audit("nowhere", actor=people.admin, collection=None)
    context = people.client("admin").get(PAGE).context
    assert [event.verb for event in context["page_obj"]] == ["two", "one"]
    assert context["verbs"] == ["one", "two"]


def test_a_detail_may_be_called_items() -> None:
    people = make_people()
    record_audit("batch laid out", actor=people.admin, collection=people.collection, items=167, new_people=7)
    assert "items: 167, new people: 7" in people.client("admin").get(PAGE).text


@pytest.mark.parametrize(("verb", "shown"), [("one", ["one", "one"]), ("three", []), ("", ["two", "one", "one"])])
def test_by_verb(verb: str, shown: list[str]) -> None:
    people = make_people()
    for done in ("one", "one", "two"):
        record_audit(done, actor=None, collection=people.collection)
    context = people.client("admin").get(PAGE, {"verb": verb}).context
    assert [event.verb for event in context["page_obj"]] == shown


def test_pages_of_fifty() -> None:
    people = make_people()
    AuditEvent.objects.bulk_create(AuditEvent(collection=people.collection, verb=str(n)) for n in range(51))
    client = people.client("admin")
    assert len(client.get(PAGE).context["page_obj"]) == 50
    assert [event.verb for event in client.get(PAGE, {"page": 2}).context["page_obj"]] == ["0"]
    assert client.get(PAGE, {"page": "x"}).status_code == 200


def test_queries_do_not_grow_with_events() -> None:
    people = make_people()
    client = people.client("admin")

    def queries(n: int) -> int:
        for _ in range(n):
            record_audit("done", actor=people.admin, collection=people.collection)
        with CaptureQueriesContext(connection) as seen:
            client.get(PAGE)
        return len(seen)

    assert queries(1) == queries(3)
