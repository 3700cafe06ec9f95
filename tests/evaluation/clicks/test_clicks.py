"""Clicks beside the judgments of a collection: by page, API and command, the same numbers."""

import io
import json
import math
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import AuditEvent, Import
from evaluation.formats.stored import finite
from evaluation.models import ClickComparison
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.commands import ran
from tests.evaluation.clicks.made import HEAD, bring_clicks
from tests.evaluation.engine.clicks.made import made_clicks
from tests.evaluation.management.calling import called
from tests.factories import make_snapshot

pytestmark = pytest.mark.django_db

ONE = "/c/bees/clicks/March"


def log_and_qrels(n_topics: int = 8) -> tuple[str, str]:
    """`(log, qrels)`: one document of grade 4 or 3 is hardly clicked."""
    counts, qrels = made_clicks(n_topics, shown=300, odd=[(3, 2, 0.0)] if n_topics > 3 else [])
    rows = zip(counts.pair.tolist(), counts.position, counts.clicks, counts.impressions, strict=True)
    log = "".join(f"{counts.numbers[counts.topic[p]]},{counts.docno[p]},{k},{c:.0f},{n:.0f}\n" for p, k, c, n in rows)
    judged = zip(qrels.topic.tolist(), qrels.docno, qrels.grade.tolist(), strict=True)
    return HEAD + log, "".join(f"{qrels.numbers[t]} 0 {d} {g}\n" for t, d, g in judged)


def worked() -> None:
    while run := claim_job():
        run_job(run)


def uploaded(people: People, text: str, **answers: str) -> Import:
    client = Client()
    client.force_login(people.researcher)
    data = {"name": "March", "snapshot": "official", "attraction": "pair", "estimator": "ips", **answers}
    answer = client.post(reverse("import_new", args=["bees", "clicks"]), {"file": io.BytesIO(text.encode()), **data})
    assert answer.status_code == 302, answer.context["form"].errors
    worked()
    return Import.objects.latest("pk")


def test_page_api_and_command_say_the_same(tmp_path: Path) -> None:
    people = make_people()
    log, qrels = log_and_qrels()
    make_snapshot(people.collection, qrels, name="official")
    record = uploaded(people, log)
    assert record.state == "checked", record.problems
    assert dict(record.preview["counts"])["Topics"] == 8
    assert [row[0] for row in record.preview["rows"]] == list("01234")
    client, api = people.client("researcher"), caller(people.researcher)
    client.post(reverse("import_publish", args=["bees", record.pk]))
    worked()
    (tmp_path / "qrels.txt").write_text(qrels)
    (tmp_path / "clicks.csv").write_text(log)
    expected = json.loads(called("compare_clicks", tmp_path / "qrels.txt", tmp_path / "clicks.csv", "--json")[0])
    pairs = expected.pop("pairs")
    (line,) = api.get(reverse("api_clicks", args=["bees"])).json()["results"]
    answer = api.get(line["url"]).json()
    assert answer["figures"].pop("n_contradictions") == len(expected["contradictions"]) > 0
    assert answer["figures"] == expected
    page = client.get(ONE)
    assert all(sentence in page.text for sentence in expected["words"][:1])
    for one in expected["grades"]:
        assert f"{one['corrected']['value']:.4f}" in page.text
    dots = page.context["rates"].dots
    assert len(dots) == len(pairs)
    assert sum(dot.kind == "odd" for dot in dots) == len(expected["contradictions"])
    assert "clicked less than lower grades" in " ".join(dot.text for dot in dots)
    assert client.get("/c/bees/clicks/").text.count("/c/bees/clicks/March") == 1
    assert 'href="/c/bees/clicks/"' in client.get(reverse("import_detail", args=["bees", record.pk])).text


def test_answers_are_changed_and_names_are_free() -> None:
    people = make_people()
    log, qrels = log_and_qrels()
    snapshot = make_snapshot(people.collection, qrels, name="official")
    assert bring_clicks(snapshot, log, estimator="ratio").state == "published"
    assert ClickComparison.objects.get().figures["question"]["estimator"] == "ratio"
    again = uploaded(people, log)
    assert (again.state, "choose another name" in again.problems[0]["reason"]) == ("refused", True)
    url, api = reverse("api_import_check", args=["bees", again.pk]), caller(people.researcher)
    sent = {"name": "April", "attraction": "grade", "estimator": "ips"}
    assert api.post(url, json.dumps(sent), content_type="application/json").status_code == 202
    worked()
    again.refresh_from_db()
    assert again.state == "checked", again.problems


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (HEAD + "1,a,1,3,2\n", "3 clicks of 2 impressions"),
        (HEAD + "zz,a,1,1,2\n", "no pair of the log is judged"),
        (HEAD + "1,a,1,1,2\n1,b,2,1,2\n", "no pair with a click was shown at the first position and at another"),
        ("number,docno,clicks\n1,a,1\n", "no column is called position"),
    ],
)
def test_what_is_refused(log: str, reason: str) -> None:
    snapshot = make_snapshot(make_people().collection, "1 0 a 1\n1 0 b 0\n", name="official")
    record = bring_clicks(snapshot, log)
    assert record.state == "refused"
    assert reason in record.problems[0]["reason"]


def test_by_command(tmp_path: Path) -> None:
    people = make_people()
    log, qrels = log_and_qrels()
    make_snapshot(people.collection, qrels, name="official")
    (tmp_path / "clicks.csv").write_text(log)
    asked = ("import", "clicks", "bees", tmp_path / "clicks.csv", "--name", "May", "--snapshot", "official")
    assert "May" in called(*asked)[0] or ClickComparison.objects.filter(name="May").exists()
    assert ClickComparison.objects.get().figures["n_topics"] == 8


def test_who_may() -> None:
    people = make_people()
    log, qrels = log_and_qrels(2)
    bring_clicks(make_snapshot(people.collection, qrels, name="official"), log)
    assert people.statuses("/c/bees/clicks/") == RESEARCH_ONLY
    assert people.statuses(ONE) == RESEARCH_ONLY
    assert statuses(people, reverse("api_click_comparison", args=["bees", "March"])) == RESEARCH
    assert people.client("admin").get("/c/bees/clicks/none").status_code == 404
    assert caller(people.admin).get("/api/v1/collections/bees/clicks/none").status_code == 404


def test_the_list_takes_as_many_statements_for_one_as_for_three(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    people = make_people()
    log, qrels = log_and_qrels(2)
    snapshot, client = make_snapshot(people.collection, qrels, name="official"), people.client("researcher")
    bring_clicks(snapshot, log)
    client.get("/c/bees/clicks/")
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as one:
        client.get("/c/bees/clicks/")
    for name in ("April", "May"):
        bring_clicks(snapshot, log, name=name)
    with django_assert_num_queries(len(one)):
        assert len(client.get("/c/bees/clicks/").context["page_obj"]) == 3


def test_clicks_are_deleted_by_every_door() -> None:
    people = make_people()
    log, qrels = log_and_qrels(2)
    snapshot = make_snapshot(people.collection, qrels, name="official")
    for name in ("March", "April", "May"):
        bring_clicks(snapshot, log, name=name)
    address = reverse("api_click_comparison", args=["bees", "March"])
    assert caller(people.researcher).delete(address).status_code == 403
    assert [caller(people.admin).delete(address).status_code for _ in range(2)] == [204, 404]
    assert people.client("researcher").post("/c/bees/clicks/delete/April").status_code == 403
    page = people.client("admin").post("/c/bees/clicks/delete/April", follow=True)
    assert "The clicks April are deleted." in page.text
    assert people.client("admin").post("/c/bees/clicks/delete/April").status_code == 404
    assert ran("delete", "clicks", "bees", "May", "--dry-run").code == 0
    assert ClickComparison.objects.get().name == "May"
    assert [ran("delete", "clicks", "bees", "May").code for _ in range(2)] == [0, 2]
    assert AuditEvent.objects.filter(verb="clicks deleted").count() == 3


def test_what_is_not_finite_is_stored_as_null() -> None:
    """Databases keep no infinity."""
    values = finite({"a": [1.0, math.inf, {"b": (math.nan, 2)}], "c": "x", "d": True, "e": None})
    assert values == {"a": [1.0, None, {"b": [None, 2]}], "c": "x", "d": True, "e": None}
