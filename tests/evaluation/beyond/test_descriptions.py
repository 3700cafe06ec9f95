"""Lists, alarms and drift described: page, API and command say the same, number by number."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Job
from evaluation.beyond.forms.kinds import FORMS
from evaluation.beyond.pages.figures import TITLES_OF
from evaluation.beyond.steps.asking import Asked
from evaluation.models import Description
from tests.annotation.callers import RESEARCH, caller, callers
from tests.annotation.counting import queries_of
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.commands import ran
from tests.evaluation.management.calling import called
from tests.factories import make_run, make_snapshot, make_vectors

pytestmark = pytest.mark.django_db

LISTS = {"1": [1, 2, 3], "2": [1, 4, 5], "3": [1, 2, 6]}
RUN = "".join(f"{user} Q0 i{item} 1 {-at} shop\n" for user, items in LISTS.items() for at, item in enumerate(items))
TRUTH = "1 0 i2 1\n1 0 i7 1\n2 0 i4 1\n3 0 i6 1\n3 0 i8 1\n"
IDS = [f"i{number}" for number in range(1, 11)]
ITEMS = "item,popularity,category\n" + "".join(f"i{n},{100 - 10 * n},c{n % 3}\n" for n in range(1, 11))
HISTORY = "person,item\n1,i7\n1,i8\n2,i9\n"
LOG = "query\tcount\tresults\n1\t5\t3\n2\t3\t3\n3\t1\t3\n4\t1\t0\n"
ANOMALIES = "item,positive\n" + "".join(f"i{n},{int(n in (1, 6))}\n" for n in range(1, 11))


def worked() -> Job:
    run = claim_job()
    assert run is not None
    return run_job(run)


def sent(**files: str) -> dict[str, SimpleUploadedFile]:
    return {name: SimpleUploadedFile(f"{name}.csv", text.encode()) for name, text in files.items()}


def asked_of(people: People, kind: str, **entries: Any) -> dict[str, Any]:
    """Asked for by the API, done by the worker, read by the API."""
    program = caller(people.researcher)
    answer = program.post(reverse(f"api_{kind}", args=["bees"]), entries, format="multipart")
    assert answer.status_code == 202, answer.content
    job = worked()
    assert job.state == Job.State.DONE, job.error
    description: dict[str, Any] = program.get(answer.json()["description_url"]).json()
    return description


def page_says(people: People, description: dict[str, Any]) -> None:
    """The page and both files have the figures of the API."""
    client, address = people.client("researcher"), f"/c/bees/beyond/of/{description['key']}"
    page = client.get(address)
    for sentence in description["figures"]["words"]:
        assert sentence.replace("'", "&#x27;") in page.text
    assert client.get(f"{address}/file", {"form": "json"}).json() == description["figures"]
    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}/file").content.decode())))
    figures = {name: description["figures"][name] for name in TITLES_OF[description["kind"]]}
    shown = {name: str(value) for name, value in figures.items() if value is not None}
    assert {row["figure"]: row["value"] for row in rows} == shown
    assert len(rows) == len(page.context["rows"]) > 1
    assert page.text.partition("<main")[2].count("drawn wide") == len(page.context["pictures"])


def test_recommendations_by_files_and_by_what_is_stored(tmp_path: Path) -> None:
    people = make_people()
    make_run(people.collection, RUN)
    make_snapshot(people.collection, TRUTH, name="wanted")
    vectors = make_vectors(people.collection, "documents", IDS)
    for name, text in (("run", RUN), ("truth", TRUTH), ("items.csv", ITEMS), ("seen.csv", HISTORY), ("log.tsv", LOG)):
        (tmp_path / name).write_text(text)
    np.save(tmp_path / "v.npy", np.random.default_rng(0).standard_normal((10, 4)).astype(np.float32))
    (tmp_path / "v.ids.txt").write_text("".join(f"{name}\n" for name in IDS))
    shared = (tmp_path / "run", "--items", tmp_path / "items.csv", "--json")
    options = ("--truth", "truth", "--history", "seen.csv", "--asked", "log.tsv", "--vectors", "v.npy")
    named = (tmp_path / each if "-" not in each else each for each in options)
    (command,) = json.loads(called("describe_recommendations", *shared, "--k", "2", *named)[0])
    stored = {"run": "shop", "vectors": "documents/mine", "snapshot": "wanted", "k": "2"}
    description = asked_of(
        people, "recommendations", **stored, **sent(items=ITEMS, history=HISTORY, asked_file=LOG.replace("\t", ","))
    )
    assert description["figures"] == command
    assert (command["hit_rate"], command["similarity"], command["zero_results"]) == (2 / 3, "vector", 0.25)
    assert description["asked"]["sources"]["vectors"] == {
        "origin": "vectors", "name": "documents/mine", "sha256": vectors.sha256
    }  # fmt: skip
    path = description["drawing"]["lorenz"]
    assert description["drawing"]["coverages"]["catalogue"][-1] == command["catalogue_coverage"]
    assert 1 - 2 * np.trapezoid(path["y"], path["x"]) == pytest.approx(command["gini_of_catalogue"])
    page_says(people, description)
    (plain,) = json.loads(called("describe_recommendations", *shared, "--k", "3", "--truth", tmp_path / "truth")[0])
    files = asked_of(people, "recommendations", k="3", **sent(run_file=RUN, items=ITEMS, truth=TRUTH))
    assert files["figures"] == plain
    assert (plain["similarity"], round(plain["popularity_bias"], 2)) == ("category", 1.6)


def test_a_query_log_alone() -> None:
    people = make_people()
    description = asked_of(people, "recommendations", **sent(asked_file=LOG))
    assert (description["figures"]["zero_results"], description["figures"]["zero_results_of_traffic"]) == (0.25, 0.1)
    assert description["drawing"] == {}
    page_says(people, description)
    renamed = {"asked_file": SimpleUploadedFile("august.csv", LOG.encode()), "k": "10"}
    answer = people.client("researcher").post("/c/bees/beyond/new/recommendations", renamed)
    assert answer.headers["Location"].endswith(description["key"])
    worked()
    again = Description.objects.get()
    assert (again.figures["run"], again.asked["sources"]["asked"]["name"]) == ("august.csv", "august.csv")
    assert again.figures == {**description["figures"], "run": "august.csv"}


def test_alarms_of_scores_of_a_run_and_of_vectors(tmp_path: Path) -> None:
    people = make_people()
    make_run(people.collection, RUN)
    make_vectors(people.collection, "documents", IDS)
    rng = np.random.default_rng(3)
    positive = rng.random(300) < 0.1
    rows = zip(rng.normal(positive, 1).tolist(), positive.astype(int).tolist(), strict=True)
    scores = "score,fraud\n" + "".join(f"{score!r},{fraud}\n" for score, fraud in rows)
    for name, text in (("scores.csv", scores), ("run", RUN), ("odd.csv", ANOMALIES)):
        (tmp_path / name).write_text(text)
    levels = {"false_rate": "0.05", "threshold": "0.5", "false_alarm": "1", "miss": "10"}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in levels.items()]
    command = json.loads(called("evaluate_alarms", tmp_path / "scores.csv", *options, "--json")[0])
    description = asked_of(people, "alarm_scores", columns="positive=fraud", **levels, **sent(scores=scores))
    assert description["figures"] == command
    assert command["false_alarms"] > 0
    at, rate = description["drawing"]["at"], command["false_alarms"] / command["n_negative"]
    assert (at["threshold"], at["false_rate"]) == (0.5, pytest.approx(rate))
    assert min(description["drawing"]["cost"]["y"]) == pytest.approx(command["best_cost"], rel=0.1)
    page_says(people, description)
    of_run = json.loads(
        called("evaluate_alarms", "--run", tmp_path / "run", "--anomalies", tmp_path / "odd.csv", "--json")[0]
    )
    assert asked_of(people, "alarm_scores", run="shop", **sent(anomalies=ANOMALIES))["figures"] == of_run
    of_vectors = asked_of(people, "alarm_scores", vectors="documents/mine", neighbour="2", **sent(anomalies=ANOMALIES))
    assert (of_vectors["figures"]["n_positive"], of_vectors["asked"]["options"]["neighbour"]) == (2, 2)
    page_says(people, of_vectors)


def test_drift_of_vectors_of_runs_and_of_files(tmp_path: Path) -> None:
    people = make_people()
    ids = [f"d{n}" for n in range(40)]
    for number, model in enumerate(("january", "february")):
        make_vectors(people.collection, "documents", ids, model=model, seed=number)
        vector = np.random.default_rng(number).standard_normal((40, 4)).astype(np.float32)
        np.save(tmp_path / f"{model}.npy", vector)
        (tmp_path / f"{model}.ids.txt").write_text("".join(f"{name}\n" for name in ids))
        run = "".join(
            f"1 Q0 {name} 1 {float(score)!r} {model}\n" for name, score in zip(ids, vector[:, 0], strict=True)
        )
        make_run(people.collection, run)
        rows = "".join(f"{float(score)!r}\n" for score in sorted(vector[:, 0], reverse=True))
        (tmp_path / f"{model}.csv").write_text(f"s\n{rows}")
    drawn = {"permutations": "99", "seed": "5", "sample": "30"}
    options = [f"--{name}={value}" for name, value in drawn.items()]
    command = ran("describe_drift", f"{tmp_path}/january.npy", f"{tmp_path}/february.npy", *options, "--json").facts
    sides = {"reference": "documents/january", "window": "documents/february"}
    description = asked_of(people, "drift", **sides, **drawn)
    assert description["figures"] == command
    shown = people.client("researcher").get(f"/c/bees/beyond/of/{description['key']}").context
    assert shown["command"].startswith("manage.py describe_drift documents/january documents/february --")
    assert shown["asked"].title == "documents/january, documents/february"
    assert [line["line"] for line in description["drawing"]["lines"]] == ["shift", "1", "2"]
    page_says(people, description)
    files = {name: (tmp_path / f"{name}.csv").read_text() for name in ("january", "february")}
    named = (f"{tmp_path}/january.csv", f"{tmp_path}/february.csv", "--scores", "s")
    command = ran("describe_drift", *named, *options, "--json").facts
    by_files = asked_of(
        people, "drift", column="s", **drawn, **sent(reference_file=files["january"], window_file=files["february"])
    )
    by_runs = asked_of(people, "drift", reference="run/january", window="run/february", **drawn)
    assert by_files["figures"] == by_runs["figures"] == command
    assert by_files["key"] != by_runs["key"]


def test_asked_again_nothing_is_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    people = make_people()
    first = asked_of(people, "recommendations", **sent(asked_file=LOG))
    monkeypatch.setattr("evaluation.beyond.steps.describing.KINDS", {})
    again = asked_of(people, "recommendations", asked_file=SimpleUploadedFile("other name.tsv", LOG.encode()))
    assert again["key"] == first["key"]
    assert again["figures"] == {**first["figures"], "run": "other name.tsv"}
    renamed = {"k": "10", "asked_file": SimpleUploadedFile("other name.tsv", LOG.encode())}
    page = people.client("researcher").post("/c/bees/beyond/new/recommendations", renamed)
    assert (page.status_code, page.headers["Location"]) == (302, f"/c/bees/beyond/of/{first['key']}")
    assert not Job.objects.filter(state=Job.State.QUEUED).exists()
    other = Asked.of_json({**first["asked"], "options": {"k": 9}})
    assert other.key != first["key"]
    assert Description.objects.count() == 1


def test_a_page_waits_for_its_job_and_names_line_and_reason() -> None:
    people = make_people()
    client = people.client("researcher")
    scores = "score,positive\n0.5,1\n\n0.1,maybe\n"
    answer = client.post("/c/bees/beyond/new/alarms", {"neighbour": "5", "false_rate": "0.1", **sent(scores=scores)})
    again = client.post("/c/bees/beyond/new/alarms", {"neighbour": "5", "false_rate": "0.1", **sent(scores=scores)})
    address = answer.headers["Location"]
    assert (again.headers["Location"], Job.objects.count()) == (address, 1)
    waiting = client.get(address)
    assert waiting.context["described"] is None
    assert "See the job" in waiting.text
    assert client.get(address, headers={"HX-Request": "true"}).status_code == 200
    assert worked().state == Job.State.FAILED
    assert client.get(address, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert "scores.csv:4: the positive &#x27;maybe&#x27; is not a whole number" in client.get(address).text
    assert not Description.objects.exists()


WRONG: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("recommendations", {}, "run", "Choose a run"),
    ("recommendations", {"run": "shop"}, "items", "they are the catalogue"),
    ("recommendations", {"run": "none"}, "run", "Select a valid choice"),
    ("recommendations", {"run": "shop", **sent(run_file=RUN, items=ITEMS)}, "run_file", "One of the two"),
    ("recommendations", sent(asked_file=LOG, items=ITEMS), "items", "Of no use without a run"),
    ("recommendations", {"k": "0", **sent(asked_file=LOG)}, "k", "greater than or equal to 1"),
    ("alarm_scores", {}, "scores", "One of the three"),
    ("alarm_scores", {"run": "shop"}, "anomalies", "Say which items"),
    ("alarm_scores", sent(scores="a", anomalies="b"), "anomalies", "Of a run or vectors alone"),
    ("alarm_scores", {"columns": "zebra=y", **sent(scores="a")}, "columns", "zebra=y: one of score"),
    ("drift", {"reference": "run/shop"}, "window", "One of the two"),
    ("drift", {"reference": "run/shop", "window": "documents/mine"}, "window", "Vectors beside vectors"),
    ("drift", {"reference": "documents/mine", "window": "documents/wide"}, "window", "Of other dimensions"),
    ("drift", {"reference": "run/shop", **sent(window_file="a")}, "column", "Say which column"),
)


def test_a_question_of_no_sense_is_refused_by_api_and_page() -> None:
    people = make_people()
    make_run(people.collection, RUN)
    make_vectors(people.collection, "documents", IDS)
    make_vectors(people.collection, "documents", IDS, model="wide", dim=7)
    program, client = caller(people.researcher), people.client("researcher")
    usual = {kind: {n: f.initial for n, f in form.base_fields.items() if f.initial} for kind, form in FORMS.items()}
    for kind, entries, field, reason in WRONG:
        for value in entries.values():
            if isinstance(value, SimpleUploadedFile):
                value.seek(0)
        answer = program.post(reverse(f"api_{kind}", args=["bees"]), entries, format="multipart")
        assert answer.status_code == 400, (kind, entries)
        assert reason in " ".join(answer.json()["errors"][field])
        page = kind.removesuffix("_scores") + ("s" if kind == "alarm_scores" else "")
        for value in entries.values():
            if isinstance(value, SimpleUploadedFile):
                value.seek(0)
        assert client.post(f"/c/bees/beyond/new/{page}", {**usual[page], **entries}).status_code == 422
    assert not Job.objects.exists()


def test_what_does_not_belong_together_is_refused_by_the_job() -> None:
    people = make_people()
    entries = sent(run_file="1 Q0 unknown 1 1 x\n", items=ITEMS)
    program = caller(people.researcher)
    assert program.post(reverse("api_recommendations", args=["bees"]), entries, format="multipart").status_code == 202
    assert worked().error == "items that the catalogue does not have: unknown"


def test_who_may() -> None:
    people = make_people()
    key = asked_of(people, "recommendations", **sent(asked_file=LOG))["key"]
    of = f"/c/bees/beyond/of/{key}"
    for address in ("/c/bees/beyond/", "/c/bees/beyond/new/drift", of, f"{of}/file"):
        assert people.statuses(address) == RESEARCH_ONLY
    for address in (reverse("api_descriptions", args=["bees"]), reverse("api_description", args=["bees", key])):
        assert {who: client.get(address).status_code for who, client in callers(people).items()} == RESEARCH
    client = people.client("researcher")
    for address in ("/c/bees/beyond/new/zebra", f"/c/bees/beyond/of/{'0' * 64}", f"{of}/file?form=xml"):
        assert client.get(address).status_code == 404
    assert Description.objects.get().figures["words"][0] in client.get("/c/bees/beyond/").text


def test_a_list_takes_as_many_queries_with_three_rows_as_with_one() -> None:
    people = make_people()
    client, program = people.client("researcher"), caller(people.researcher)
    address = reverse("api_descriptions", args=["bees"])
    counts = []
    for number in (1, 2, 3):
        asked_of(people, "recommendations", **sent(asked_file=f"query,results\n1,{number}\n"))
        client.get("/c/bees/beyond/")
        if number != 2:
            with CaptureQueriesContext(connection) as queries:
                assert len(client.get("/c/bees/beyond/").context["rows"]) == number
            counts.append((len(queries), queries_of(program, address, number)))
    assert counts[0] == counts[1]
