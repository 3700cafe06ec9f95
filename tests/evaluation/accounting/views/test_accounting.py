"""The pages of accounting: who sees them, what they say before and after it is computed, what the files hold."""

import csv
import io
import json
import re
from typing import Never

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import Job, Role, Snapshot
from evaluation.formats.accounting import of_object
from evaluation.models import Accounting
from tests.evaluation.accounted import RANKED, Accountable, account, by_hand, make_accountable, run_text, work
from tests.evaluation.clients import researcher_of, signed_in
from tests.factories import make_collection, make_member, make_run, make_snapshot, make_user

pytestmark = pytest.mark.django_db


def address(name: str, campaign: Accountable) -> str:
    return reverse(name, args=[campaign.worked.collection.slug, campaign.snapshot.pk])


def page(client: Client, snapshot: Snapshot, **query: str) -> str:
    answer = client.get(reverse("accounting", args=[snapshot.collection.slug, snapshot.pk]), query)
    assert answer.status_code == 200
    return answer.text


def test_who_sees_it() -> None:
    campaign = make_accountable()
    collection = campaign.worked.collection
    admin = signed_in(make_member(collection, role=Role.ADMIN))
    annotator = signed_in(make_member(collection, role=Role.ANNOTATOR))
    people = [admin, researcher_of(collection), annotator, signed_in(make_user()), Client()]
    other = make_collection(admin=make_user())
    stranger = researcher_of(other)
    for name in ("accounting", "accounting_ask", "accounting_dropped_csv"):
        path = address(name, campaign)
        assert [person.get(path).status_code for person in people] == [200, 200, 403, 404, 302]
        assert stranger.get(reverse(name, args=[other.slug, campaign.snapshot.pk])).status_code == 404


def test_the_file_belongs_to_its_collection() -> None:
    campaign = make_accountable()
    account(campaign)
    collection, stored = campaign.worked.collection, Accounting.objects.get()
    path = reverse("accounting_file", args=[collection.slug, stored.pk])
    annotator = signed_in(make_member(collection, role=Role.ANNOTATOR))
    people = [researcher_of(collection), annotator, signed_in(make_user()), Client()]
    assert [person.get(path).status_code for person in people] == [200, 403, 404, 302]
    other = make_collection(admin=make_user())
    assert researcher_of(other).get(reverse("accounting_file", args=[other.slug, stored.pk])).status_code == 404
    assert researcher_of(collection).get(path, {"form": "pickle"}).status_code == 404


def test_before_anything_is_reckoned_it_says_what_dropped() -> None:
    """Of 27 pairs d3, d4 and d5 dropped, d6, which nobody judged, and d7, the only one of topic 2."""
    campaign = make_accountable()
    client = researcher_of(campaign.worked.collection)
    answer = client.get(address("accounting", campaign))
    dropped = answer.context["dropped"]
    assert {reason.key: reason.n for reason in dropped.reasons} == {"too_few": 4, "too_far_apart": 1}
    rows = [(topic.number, topic.n_pairs, topic.n_dropped, topic.by_reason) for topic in dropped.topics]
    assert rows == [("2", 1, 1, [1, 0]), ("1", 6, 4, [3, 1]), ("g", 20, 0, [0, 0])]
    assert (dropped.n_pairs, dropped.n_dropped, dropped.n_lost) == (27, 5, 1)
    assert "No run accounted for yet" in answer.text


def test_the_file_of_all_pairs_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_accountable()
    client = researcher_of(campaign.worked.collection)
    first = client.get(address("accounting", campaign)).context["dropped"]
    monkeypatch.setattr("evaluation.accounting.read.outcome_of", refuse)
    assert client.get(address("accounting", campaign)).context["dropped"] == first
    assert client.get(address("accounting_dropped_csv", campaign)).getvalue().count(b"\n") == 1 + len(first.topics)


def refuse(_: bytes) -> Never:
    raise AssertionError("the file was read again")


def test_topics_come_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_accountable()
    monkeypatch.setattr("evaluation.accounting.views.accounting.SHOWN_TOPICS", 2)
    answer = researcher_of(campaign.worked.collection).get(address("accounting", campaign), {"page": "2"})
    assert [topic.number for topic, _ in answer.context["dropped_lines"]] == ["g"]
    assert "3–3 of 3" in answer.text


def test_asking_queues_one_job_that_the_page_waits_for() -> None:
    campaign = make_accountable()
    client, path = researcher_of(campaign.worked.collection), address("accounting", campaign)
    ask = address("accounting_ask", campaign)
    assert [client.get(ask).text.count(f'value="{tag}"') for tag in RANKED] == [1, 1, 1]
    answer = client.post(ask, {"runs": ["keen", "plain"], "k": "5", "measures": "P@2 AP(rel=2)"})
    assert (answer.status_code, answer["Location"]) == (302, path)
    job = Job.objects.get(kind="account_snapshot")
    assert (job.payload["k"], job.payload["measures"], len(job.payload["runs"])) == (5, ["P@2", "AP(rel=2)"], 2)
    assert "running-job" in page(client, campaign.snapshot)
    (query,) = re.findall(r'hx-get="[^"]*\?(said=[^"]*)"', client.get(path).text)
    assert client.get(f"{path}?{query}", headers={"HX-Request": "true"}).status_code == 204
    Job.objects.update(message="Scored 1 of 2 runs", done=1, total=2, state="running", lease_until=timezone.now())
    part = client.get(f"{path}?{query}", headers={"HX-Request": "true"}).text
    assert ("Scored 1 of 2 runs (50 %)" in part, "<html" in part, query in part) == (True, False, False)
    Job.objects.update(state="queued", lease_until=None)
    assert work().state == "done"
    assert client.get(path, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    text = page(client, campaign.snapshot)
    assert "Judged@5" in text
    assert 'Not accounted for: <span class="code">short</span>' in text


REFUSED: list[tuple[dict[str, object], str]] = [
    ({"runs": [], "k": "10"}, "This field is required."),
    ({"runs": ["nobody"], "k": "10"}, "Select a valid choice."),
    ({"runs": ["keen"], "k": "0"}, "greater than or equal to 1"),
    ({"runs": ["keen"], "k": "10", "measures": "nDGC@10"}, "nDCG"),
    ({"runs": ["keen"], "k": "10", "measures": "Judged@10"}, "more is not better"),
]


def test_what_cannot_be_asked_is_said() -> None:
    campaign = make_accountable()
    client = researcher_of(campaign.worked.collection)
    for entries, reason in REFUSED:
        answer = client.post(address("accounting_ask", campaign), entries)
        assert answer.status_code == 422
        assert reason in answer.text
    assert not Job.objects.filter(kind="account_snapshot").exists()


def test_the_page_says_what_to_conclude() -> None:
    """By AP plain leads keen as the snapshot stands, and falls behind once keen's d4 and d3 count as relevant."""
    campaign = make_accountable()
    account(campaign)
    client = researcher_of(campaign.worked.collection)
    answer = client.get(address("accounting", campaign), {"measure": "AP"})
    view = answer.context["view"]
    assert [row.tag for row in view.rows] == ["plain", "keen", "short"]
    assert [value.place for value in view.rows[0].values] == [1, 1, 2, 2]
    ranges = {row.tag: (row.low, row.high) for row in view.rows}
    cases = ("as is", "0", "median", "maximum")
    for tag in RANKED:
        values = [by_hand(tag, case, "AP") for case in cases]
        assert ranges[tag] == pytest.approx((min(values), max(values)), abs=1e-12)
    assert "1 of 3 pairs of runs change places (keen and plain); none told apart by the test." in answer.text
    assert "none of the runs that do are told apart by the paired test" in answer.text


def test_imported_qrels_have_nothing_dropped() -> None:
    collection = make_collection(admin=make_user())
    snapshot = make_snapshot(collection, "1 0 d1 3\n1 0 d2 0\n")
    client = researcher_of(collection)
    assert "These qrels were imported" in page(client, snapshot)
    runs = [make_run(collection, run_text(tag)) for tag in ("keen", "plain")]
    account(Accountable(None, snapshot, runs), measures=["AP"])  # type: ignore[arg-type]
    text = page(client, snapshot)
    assert "There is one case" in text
    assert "Dropped</th>" not in text


def test_the_files_say_the_same() -> None:
    campaign = make_accountable()
    account(campaign)
    client, stored = researcher_of(campaign.worked.collection), Accounting.objects.get()
    path = reverse("accounting_file", args=[campaign.worked.collection.slug, stored.pk])
    result = of_object(json.loads(client.get(path, {"form": "json"}).content))
    assert result == of_object(stored.result)
    rows = list(csv.DictReader(io.StringIO(client.get(path).text)))
    values = {(row["measure"], row["run"], row["case"]): float(row["value"]) for row in rows}
    for j, shares in enumerate(result.runs):
        for i, case in enumerate(result.cases):
            assert values["Judged@3", shares.tag, case] == shares.judged[i]
            assert values["AP", shares.tag, case] == result.measures[2].mean[i][j]
    orders = list(csv.DictReader(io.StringIO(client.get(path, {"form": "orders"}).text)))
    assert len(orders) == 4 * 6  # measures, and pairs of the four cases
    assert {row["swapped"] for row in orders if (row["measure"], row["before"]) == ("AP", "as is")} == {"0", "1"}
    swaps = list(csv.DictReader(io.StringIO(client.get(path, {"form": "swaps"}).text)))
    assert len(swaps) == sum(int(row["swapped"]) for row in orders) > 0
    assert all(float(row["difference_before"]) > 0 > float(row["difference_after"]) for row in swaps)
    assert client.get(path, {"form": "nothing"}).status_code == 404


def test_what_dropped_goes_out_topic_by_topic() -> None:
    campaign = make_accountable()
    client = researcher_of(campaign.worked.collection)
    dropped = client.get(address("accounting", campaign)).context["dropped"]
    file = client.get(address("accounting_dropped_csv", campaign)).getvalue().decode()
    rows = list(csv.DictReader(io.StringIO(file)))
    assert [(row["number"], int(row["pairs"]), int(row["dropped"])) for row in rows] == [
        (topic.number, topic.n_pairs, topic.n_dropped) for topic in dropped.topics
    ]
    assert [name for name in rows[0] if name not in ("number", "pairs", "dropped")] == [
        reason.key for reason in dropped.reasons
    ]


@pytest.mark.parametrize("n_runs", [1, 3])
def test_the_page_asks_as_often_however_many_runs(n_runs: int) -> None:
    campaign = make_accountable()
    account(Accountable(campaign.worked, campaign.snapshot, campaign.runs[:n_runs]))
    client = researcher_of(campaign.worked.collection)
    page(client, campaign.snapshot)
    with CaptureQueriesContext(connection) as queries:
        page(client, campaign.snapshot)
    assert len(queries) == 13
