"""The accounting of a snapshot by the API."""

import pytest
from django.urls import reverse

from annotation.models import AuditEvent, Job, Role
from evaluation.accounting.steps.requests import ask_accounting
from evaluation.formats.accounting import as_object, of_object
from evaluation.models import Accounting
from tests.annotation.callers import bearer, caller, send
from tests.annotation.refused_fields import refused_fields
from tests.evaluation.accounted import Accountable, make_accountable, work
from tests.factories import make_collection, make_member, make_snapshot, make_user

pytestmark = pytest.mark.django_db


def test_what_dropped_and_what_the_runs_would_be_worth() -> None:
    campaign = make_accountable()
    collection = campaign.worked.collection
    address = reverse("api_snapshot_accounting", args=[collection.slug, campaign.snapshot.pk])
    people = [make_member(collection, role=role) for role in (Role.ADMIN, Role.RESEARCHER, Role.ANNOTATOR)]
    clients = [*map(caller, [*people, make_user()]), bearer("nothing")]
    assert [client.get(address).status_code for client in clients] == [200, 200, 403, 404, 401]
    answer = clients[1].get(address).json()
    about = [answer[name] for name in ("snapshot", "accounted", "made_at", "job_url")]
    assert about == ["first", None, None, None]
    dropped = answer["dropped"]
    assert dropped["n_dropped"] == sum(row["n"] for row in dropped["reasons"]) > 0
    assert sum(topic["n_dropped"] for topic in dropped["topics"]) == dropped["n_dropped"]
    ask_accounting(campaign.snapshot, campaign.runs, k=3, measures=["AP"], created_by=None)
    assert "/api/v1/jobs/" in clients[1].get(address).json()["job_url"]
    work()
    answer = clients[1].get(address).json()
    assert answer["accounted"] == as_object(of_object(Accounting.objects.get().result))
    assert (answer["job_url"], answer["made_at"] is None) == (None, False)


def test_imported_qrels_do_not_say_what_they_leave_out() -> None:
    collection = make_collection(admin=make_user("lead"))
    snapshot = make_snapshot(collection, "1 0 d1 1\n")
    client = caller(make_member(collection, role=Role.RESEARCHER))
    answer = client.get(reverse("api_snapshot_accounting", args=[collection.slug, snapshot.pk])).json()
    assert (answer["dropped"], answer["accounted"]) == (None, None)
    other = make_collection(admin=make_user("other"))
    path = reverse("api_snapshot_accounting", args=[other.slug, snapshot.pk])
    assert caller(make_member(other, role=Role.ADMIN)).get(path).status_code == 404


def asked_at(campaign: Accountable) -> str:
    return reverse("api_snapshot_accounting", args=[campaign.worked.collection.slug, campaign.snapshot.pk])


def test_it_is_asked_for_and_answered_with_a_job() -> None:
    campaign = make_accountable()
    researcher = caller(make_member(campaign.worked.collection, role=Role.RESEARCHER))
    question = {"runs": ["keen", "plain"], "measures": ["AP", "P@2"], "k": 3}
    answer = send(researcher, "post", asked_at(campaign), question)
    assert answer.status_code == 202
    assert work().state == "done"
    accounted = researcher.get(asked_at(campaign)).json()["accounted"]
    assert (accounted["k"], [run["tag"] for run in accounted["runs"]]) == (3, ["keen", "plain"])
    assert [one["measure"] for one in accounted["measures"]] == ["AP", "P@2"]
    send(researcher, "post", asked_at(campaign))
    assert Job.objects.latest("pk").payload["k"] == 10
    assert AuditEvent.objects.filter(verb="accounting asked for").count() == 2


def test_who_may_ask() -> None:
    campaign = make_accountable()
    people = [make_member(campaign.worked.collection, role=role) for role in (Role.ADMIN, Role.ANNOTATOR)]
    clients = [*map(caller, [*people, make_user()]), bearer("nothing")]
    assert [send(client, "post", asked_at(campaign)).status_code for client in clients] == [202, 403, 404, 401]
    assert Job.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"runs": ["nobody"]}, {"runs"}),
        ({"runs": []}, {"runs"}),
        ({"k": 0}, {"k"}),
        ({"measures": ["nDCQ@10"]}, {"measures"}),
        ({"measures": ["NumRet"]}, {"measures"}),
    ],
)
def test_what_cannot_be_accounted_for_is_refused_by_field(body: dict[str, object], fields: set[str]) -> None:
    campaign = make_accountable()
    client = caller(make_member(campaign.worked.collection, role=Role.RESEARCHER))
    answer = send(client, "post", asked_at(campaign), body)
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    assert not Job.objects.exists()
