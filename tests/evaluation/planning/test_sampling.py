"""A query log becomes topics of a collection: by page, API and command, with what each topic stands for."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError
from django.test import Client
from django.urls import reverse

from annotation.kernel.jobs import JobRun, claim_job, run_job
from annotation.models import Import, Topic
from evaluation.formats.estimates import as_facts
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import SampledTopic
from tests.annotation.callers import caller
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.evaluation.management.calling import called
from tests.factories import make_run, make_snapshot

pytestmark = pytest.mark.django_db

LOG = "query\tcount\n" + "".join(f"query {i}\t{2000 // i}\n" for i in range(1, 501))
ANSWERS = {"total": "40", "minimum": "4", "head": "20", "torso": "80", "seed": "5", "number_prefix": "q"}


def worked() -> None:
    while run := claim_job():
        run_job(run)


def uploaded(people: People, text: str = LOG, **answers: str) -> Import:
    client = Client()
    client.force_login(people.admin)
    data = {"file": io.BytesIO(text.encode()), "rule": "proportional", "rounding": "largest_remainder"}
    url = reverse("import_new", args=["bees", "queries"])
    answer = client.post(url, {**data, **ANSWERS, **answers})
    assert answer.status_code == 302, answer.context["form"].errors
    worked()
    return Import.objects.latest("pk")


def published(people: People, record: Import) -> None:
    client = Client()
    client.force_login(people.admin)
    client.post(reverse("import_publish", args=["bees", record.pk]))
    worked()
    record.refresh_from_db()
    assert record.state == "published", record.problems


def test_strata_first_then_topics_with_their_probabilities(tmp_path: Path) -> None:
    people = make_people()
    here = Topic.objects.count()
    record = uploaded(people)
    assert record.state == "checked"
    counts = dict(record.preview["counts"])
    assert counts == {"New": 40, "Unchanged": 0, "Changed": 0, "head, of 20": 5, "torso, of 80": 9, "tail, of 400": 26}
    assert [row[0] for row in record.preview["rows"][:2]] == ["q1", "q2"]
    published(people, record)
    assert (Topic.objects.count() - here, SampledTopic.objects.count()) == (40, 40)
    one = SampledTopic.objects.get(topic__number="q1")
    assert (one.stratum, one.probability) == ("head", 5 / 20)
    client, api = Client(), caller(people.researcher)
    client.force_login(people.researcher)
    (tmp_path / "log.tsv").write_text(LOG)
    options = ("--total=40", "--minimum=4", "--head=20", "--torso=80", "--seed=5", "--prefix=q")
    called("sample_queries", tmp_path / "log.tsv", *options, "-o", tmp_path / "topics.tsv")
    downloaded = b"".join(client.get("/c/bees/experiments/sample"))
    assert downloaded == (tmp_path / "topics.tsv").read_bytes()
    rows = api.get(reverse("api_experiment_sample", args=["bees"])).json()["results"]
    assert rows[0] == {
        "number": "q1", "title": one.topic.versions.get().title, "count": one.count, "stratum": "head",
        "probability": 0.25,
    }  # fmt: skip
    assert json.loads(record.preview["facts"]["manifest"])["seed"] == 5


def test_progress_is_that_of_the_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log has been read by then, and not from the stream that other importers read."""
    people, reports, report = make_people(), list[tuple[int, int, str]](), JobRun.report

    def listened(run: JobRun, *, done: int, total: int, message: str = "") -> None:
        reports.append((done, total, message))
        report(run, done=done, total=total, message=message)

    monkeypatch.setattr(JobRun, "report", listened)
    uploaded(people)
    assert reports[-1] == (40, 40, "40 of 40 topics taken in")


def test_a_program_names_the_total_alone() -> None:
    """Rule and rounding are the page's first choices, as those of the command."""
    people = make_people()
    entries = {"kind": "queries", "total": "40", "file": SimpleUploadedFile("log.tsv", LOG.encode())}
    answer = caller(people.admin).post(reverse("api_imports", args=["bees"]), entries)
    assert answer.status_code in (201, 202), answer.json()
    worked()
    record = Import.objects.latest("pk")
    assert (record.state, dict(record.preview["counts"])["New"], record.options["rule"]) == (
        "checked",
        40,
        "proportional",
    )


def test_answers_are_changed_and_checked_anew() -> None:
    people = make_people()
    record = uploaded(people, oversample="tail=3")
    assert record.preview["notes"] == ["file: 92 in all, which is more than the total of 40"]
    api = caller(people.admin)
    answers: dict[str, Any] = {"total": "20", "rule": "equal", "oversample": "", "seed": "6"}
    url = reverse("api_import_check", args=["bees", record.pk])
    assert api.post(url, json.dumps(answers), content_type="application/json").status_code == 202
    worked()
    record.refresh_from_db()
    assert [n for _, n in record.preview["counts"]] == [20, 0, 0, 7, 7, 6]
    published(people, record)
    published_again = uploaded(people, total="20", rule="equal", seed="6")
    assert dict(published_again.preview["counts"])["Unchanged"] == 20


def test_the_sample_is_that_of_the_newest_log() -> None:
    """Two samples together would speak for no log: page, API and file have the newest alone."""
    people = make_people()
    published(people, uploaded(people))
    published(people, uploaded(people, total="20", number_prefix="later"))
    lines = b"".join(people.client("researcher").get("/c/bees/experiments/sample")).decode().splitlines()
    rows = caller(people.researcher).get(reverse("api_experiment_sample", args=["bees"])).json()
    assert (len(lines), rows["count"], SampledTopic.objects.count()) == (21, 20, 60)
    assert all(line.startswith("later") for line in lines[1:])


@pytest.mark.parametrize(
    ("text", "answers", "reason"),
    [
        (LOG + "last\tmany\n", {}, "the count 'many' is not a whole number"),
        (LOG, {"by": "market"}, "there is no column 'market'"),
        (LOG, {"total": "900"}, "the total lies between 1 and the 500 units"),
        (LOG, {"oversample": "rare=2"}, "there is no stratum 'rare'"),
        (LOG, {"oversample": "rare"}, "a stratum and a number are expected"),
        (LOG, {"minimum": "30", "total": "50"}, "takes 80, more than the total 50"),
    ],
)
def test_what_is_refused(text: str, answers: dict[str, str], reason: str) -> None:
    record = uploaded(make_people(), text, **answers)
    assert record.state == "refused"
    assert reason in record.problems[0]["reason"]


def test_by_command(tmp_path: Path) -> None:
    make_people()
    (tmp_path / "log.tsv").write_text(LOG)
    output, _ = called("import", "queries", "bees", tmp_path / "log.tsv", "--total", "30", "--number-prefix", "s")
    assert "30" in output
    assert SampledTopic.objects.filter(topic__number__startswith="s").count() == 30
    with pytest.raises(CommandError, match="total"):
        called("import", "queries", "bees", tmp_path / "log.tsv", "--total", "none")


def test_who_may() -> None:
    people = make_people()
    assert people.statuses("/c/bees/experiments/sample") == RESEARCH_ONLY


def test_means_over_all_queries_by_page_api_and_command(tmp_path: Path) -> None:
    """The run has what is wanted first, but where the number is a multiple of three."""
    people = make_people()
    published(people, uploaded(people, number_prefix="", rule="equal"))
    numbers = [str(n) for n in range(1, 41)]
    qrels = "".join(f"{n} 0 a 1\n{n} 0 b 0\n" for n in numbers)
    orders = [(n, "ab" if int(n) % 3 else "ba") for n in numbers]
    run = "".join(f"{n} Q0 {d} 1 {-i} one\n" for n, order in orders for i, d in enumerate(order))
    client, api = Client(), caller(people.researcher)
    client.force_login(people.researcher)
    before = client.get("/c/bees/experiments/estimates")
    assert (before.status_code, "Evaluate runs" in before.content.decode()) == (200, True)
    assert before.context["form"].errors == {}  # nothing was entered wrongly
    snapshot = make_snapshot(people.collection, qrels, name="first")
    ask_evaluation(
        snapshot, [make_run(people.collection, run)], measures=["P@1"], averaging="complete", created_by=None
    )
    worked()
    (tmp_path / "qrels").write_text(qrels)
    (tmp_path / "one.run").write_text(run)
    (tmp_path / "topics.tsv").write_bytes(b"".join(client.get("/c/bees/experiments/sample")))
    files = (tmp_path / "qrels", tmp_path / "one.run", "--sample", tmp_path / "topics.tsv")
    command = json.loads(called("estimate_means", *files, "-m", "P@1", "--json")[0])
    query = {"snapshot": "first", "measure": "P@1"}
    answer = api.get(reverse("api_experiment_estimates", args=["bees"]), query).json()
    assert answer == {"log": "file", "topics": 40, "left_aside": 0, "estimates": command}
    page = client.get("/c/bees/experiments/estimates", query)
    assert [as_facts(one) for one in page.context["rows"]] == command
    assert client.get("/c/bees/experiments/estimates", {"measure": "none"}).status_code == 422
    assert api.get(reverse("api_experiment_estimates", args=["bees"]), {"measure": "none"}).status_code == 400


def test_one_run_without_an_interval_hides_no_other() -> None:
    """A run that is right everywhere: how other queries vary cannot be told from its values."""
    people = make_people()
    published(people, uploaded(people, number_prefix="", rule="equal"))
    numbers = [str(n) for n in range(1, 41)]
    snapshot = make_snapshot(people.collection, "".join(f"{n} 0 a 1\n{n} 0 b 0\n" for n in numbers), name="first")
    runs = []
    for tag, is_right in (("all", lambda n: True), ("some", lambda n: n % 3 > 0)):
        lines = [(n, d, -at) for n in numbers for at, d in enumerate("ab" if is_right(int(n)) else "ba")]
        runs.append(make_run(people.collection, "".join(f"{n} Q0 {d} 1 {score} {tag}\n" for n, d, score in lines)))
    ask_evaluation(snapshot, runs, measures=["P@1"], averaging="complete", created_by=None)
    worked()
    page = people.client("researcher").get("/c/bees/experiments/estimates", {"snapshot": "first", "measure": "P@1"})
    table = page.text.split("<table", 1)[1].split("</table>")[0]
    assert (table.count("unknown"), "inf" in table) == (2, False)
    for _, plot in page.context["plots"]:
        assert [mark.low == mark.high for mark in plot.marks] == [True, False]
