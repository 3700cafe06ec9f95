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


def address(name: str, made: Accountable) -> str:
    return reverse(name, args=[made.worked.collection.slug, made.snapshot.pk])


def page(client: Client, snapshot: Snapshot, **query: str) -> str:
    answer = client.get(reverse("accounting", args=[snapshot.collection.slug, snapshot.pk]), query)
    assert answer.status_code == 200
    return answer.text


def test_who_sees_it() -> None:
    made = make_accountable()
    collection = made.worked.collection
    admin = signed_in(make_member(collection, role=Role.ADMIN))
    annotator = signed_in(make_member(collection, role=Role.ANNOTATOR))
    people = [admin, researcher_of(collection), annotator, signed_in(make_user()), Client()]
    other = make_collection(admin=make_user())
    stranger = researcher_of(other)
    for name in ("accounting", "accounting_ask", "accounting_dropped_csv"):
        path = address(name, made)
        assert [person.get(path).status_code for person in people] == [200, 200, 403, 404, 302]
        assert stranger.get(reverse(name, args=[other.slug, made.snapshot.pk])).status_code == 404


def test_the_file_belongs_to_its_collection() -> None:
    made = make_accountable()
    account(made)
    collection, stored = made.worked.collection, Accounting.objects.get()
    path = reverse("accounting_file", args=[collection.slug, stored.pk])
    annotator = signed_in(make_member(collection, role=Role.ANNOTATOR))
    people = [researcher_of(collection), annotator, signed_in(make_user()), Client()]
    assert [person.get(path).status_code for person in people] == [200, 403, 404, 302]
    other = make_collection(admin=make_user())
    assert researcher_of(other).get(reverse("accounting_file", args=[other.slug, stored.pk])).status_code == 404
    assert researcher_of(collection).get(path, {"form": "pickle"}).status_code == 404


def test_before_anything_is_reckoned_it_says_what_dropped() -> None:
    """Of 27 pairs d3, d4 and d5 dropped, d6, which nobody judged, and d7, the only one of topic 2."""
    made = make_accountable()
    client = researcher_of(made.worked.collection)
    answer = client.get(address("accounting", made))
    dropped = answer.context["dropped"]
    assert {reason.key: reason.n for reason in dropped.reasons} == {"too_few": 4, "too_far_apart": 1}
    rows = [(topic.number, topic.n_pairs, topic.n_dropped, topic.by_reason) for topic in dropped.topics]
    assert rows == [("2", 1, 1, [1, 0]), ("1", 6, 4, [3, 1]), ("g", 20, 0, [0, 0])]
    assert (dropped.n_pairs, dropped.n_dropped, dropped.n_lost) == (27, 5, 1)
    assert "No run accounted for yet" in answer.text


def test_the_file_of_all_pairs_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_accountable()
    client = researcher_of(made.worked.collection)
    first = client.get(address("accounting", made)).context["dropped"]
    monkeypatch.setattr("evaluation.accounting.read.outcome_of", refuse)
    assert client.get(address("accounting", made)).context["dropped"] == first
    assert client.get(address("accounting_dropped_csv", made)).getvalue().count(b"\n") == 1 + len(first.topics)


def refuse(_: bytes) -> Never:
    raise AssertionError("the file was read again")


def test_topics_come_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_accountable()
    monkeypatch.setattr("evaluation.accounting.views.accounting.SHOWN_TOPICS", 2)
    answer = researcher_of(made.worked.collection).get(address("accounting", made), {"page": "2"})
    assert [topic.number for topic, _ in answer.context["dropped_lines"]] == ["g"]
    assert "3–3 of 3" in answer.text


def test_asking_queues_one_job_that_the_page_waits_for() -> None:
    made = make_accountable()
    client, path = researcher_of(made.worked.collection), address("accounting", made)
    ask = address("accounting_ask", made)
    assert [client.get(ask).text.count(f'value="{tag}"') for tag in RANKED] == [1, 1, 1]
    answer = client.post(ask, {"runs": ["keen", "plain"], "k": "5", "measures": "P@2 AP(rel=2)"})
    assert (answer.status_code, answer["Location"]) == (302, path)
    job = Job.objects.get(kind="account_snapshot")
    assert (job.payload["k"], job.payload["measures"], len(job.payload["runs"])) == (5, ["P@2", "AP(rel=2)"], 2)
    assert "running-job" in page(client, made.snapshot)
    (said,) = re.findall(r'hx-get="[^"]*\?(said=[^"]*)"', client.get(path).text)
    assert client.get(f"{path}?{said}", headers={"HX-Request": "true"}).status_code == 204
    Job.objects.update(message="Scored 1 of 2 runs", done=1, total=2, state="running", lease_until=timezone.now())
    part = client.get(f"{path}?{said}", headers={"HX-Request": "true"}).text
    assert ("Scored 1 of 2 runs (50 %)" in part, "<html" in part, said in part) == (True, False, False)
    Job.objects.update(state="queued", lease_until=None)
    assert work().state == "done"
    assert client.get(path, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    text = page(client, made.snapshot)
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
    made = make_accountable()
    client = researcher_of(made.worked.collection)
    for given, said in REFUSED:
        answer = client.post(address("accounting_ask", made), given)
        assert answer.status_code == 422
        assert said in answer.text
    assert not Job.objects.filter(kind="account_snapshot").exists()


def test_the_page_says_what_to_conclude() -> None:
    """By AP plain leads keen as the snapshot stands, and falls behind once keen's d4 and d3 count as relevant."""
    made = make_accountable()
    account(made)
    client = researcher_of(made.worked.collection)
    answer = client.get(address("accounting", made), {"measure": "AP"})
    view = answer.context["view"]
    assert [row.tag for row in view.rows] == ["plain", "keen", "short"]
    assert [value.place for value in view.rows[0].values] == [1, 1, 2, 2]
    said = {row.tag: (row.low, row.high) for row in view.rows}
    cases = ("as is", "0", "median", "maximum")
    for tag in RANKED:
        values = [by_hand(tag, case, "AP") for case in cases]
        assert said[tag] == pytest.approx((min(values), max(values)), abs=1e-12)
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
    made = make_accountable()
    account(made)
    client, stored = researcher_of(made.worked.collection), Accounting.objects.get()
    path = reverse("accounting_file", args=[made.worked.collection.slug, stored.pk])
    found = of_object(json.loads(client.get(path, {"form": "json"}).content))
    assert found == of_object(stored.result)
    rows = list(csv.DictReader(io.StringIO(client.get(path).text)))
    values = {(row["measure"], row["run"], row["case"]): float(row["value"]) for row in rows}
    for j, shares in enumerate(found.runs):
        for i, case in enumerate(found.cases):
            assert values["Judged@3", shares.tag, case] == shares.judged[i]
            assert values["AP", shares.tag, case] == found.measures[2].mean[i][j]
    orders = list(csv.DictReader(io.StringIO(client.get(path, {"form": "orders"}).text)))
    assert len(orders) == 4 * 6  # measures, and pairs of the four cases
    assert {row["swapped"] for row in orders if (row["measure"], row["before"]) == ("AP", "as is")} == {"0", "1"}
    swaps = list(csv.DictReader(io.StringIO(client.get(path, {"form": "swaps"}).text)))
    assert len(swaps) == sum(int(row["swapped"]) for row in orders) > 0
    assert all(float(row["difference_before"]) > 0 > float(row["difference_after"]) for row in swaps)
    assert client.get(path, {"form": "nothing"}).status_code == 404


def test_what_dropped_goes_out_topic_by_topic() -> None:
    made = make_accountable()
    client = researcher_of(made.worked.collection)
    found = client.get(address("accounting", made)).context["dropped"]
    rows = list(csv.DictReader(io.StringIO(client.get(address("accounting_dropped_csv", made)).getvalue().decode())))
    assert [(row["number"], int(row["pairs"]), int(row["dropped"])) for row in rows] == [
        (topic.number, topic.n_pairs, topic.n_dropped) for topic in found.topics
    ]
    assert [name for name in rows[0] if name not in ("number", "pairs", "dropped")] == [
        reason.key for reason in found.reasons
    ]


@pytest.mark.parametrize("n_runs", [1, 3])
def test_the_page_asks_as_often_however_many_runs(n_runs: int) -> None:
    made = make_accountable()
    account(Accountable(made.worked, made.snapshot, made.runs[:n_runs]))
    client = researcher_of(made.worked.collection)
    page(client, made.snapshot)
    with CaptureQueriesContext(connection) as queries:
        page(client, made.snapshot)
    assert len(queries) == 13
