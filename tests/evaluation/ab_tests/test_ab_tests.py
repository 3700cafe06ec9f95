"""A/B tests in the app: a log comes in by page, API and command, and all doors give the same numbers."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

import touchstone as ts
from annotation.kernel.jobs import ask_cancel, claim_job, run_job
from annotation.models import AuditEvent, Import, Job
from evaluation.ab_tests.pages import findings_of, measure_parts
from evaluation.ab_tests.read import log_path
from evaluation.models import Experiment, ExperimentAnalysis
from tests.annotation.callers import caller, send
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import RESEARCH_ONLY, make_people
from tests.commands import ran
from tests.evaluation.ab_tests.made import make_experiment
from tests.factories import make_collection

pytestmark = pytest.mark.django_db

PAGE, IMPORT = "/c/bees/ab-tests/checkout/", "/c/bees/imports/new/experiment"
ASKED: dict[str, Any] = {
    "control": "A",
    "measures": ["bought", "seconds"],
    "covariate": "before",
    "segments": ["land"],
    "time": "day",
}
ASKED |= {"guardrail": "seconds=2, bought=-5%", "ratio": "bought/seconds", "start": 50, "events": 10}
FORM = {
    **ASKED, "every": "", "cluster": "", "share": "", "correction": "holm", "alpha": 0.05, "threshold": 0.001,
    "narrowest_at": 10_000, "replicates": 1000, "seed": 0, "covariate": "before",
}  # fmt: skip
WORDS = ["--control", "A", "--measure", "bought", "--measure", "seconds", "--covariate", "before", "--segment", "land"]
WORDS += ["--time", "day", "--guardrail", "seconds=2", "--guardrail", "bought=-5%", "--ratio", "bought/seconds"]
WORDS += ["--start", "50", "--events", "10", "--json"]


def work() -> Job:
    done = None
    while run := claim_job():
        done = run_job(run)
    assert done is not None
    return done


def log_of(n: int = 400) -> bytes:
    return log_path(make_experiment(make_collection("elsewhere"), n=n)).read_bytes()


def test_page_api_and_command_bring_the_same_log(tmp_path: Path) -> None:
    people, content = make_people(), log_of()
    researcher = people.client("researcher")
    entered = {
        "name": "by-page",
        "variant_column": "",
        "unit_column": "user",
        "number_columns": "",
        "description": "Why",
    }
    assert researcher.post(IMPORT, {**entered, "file": SimpleUploadedFile("log.csv", content)}).status_code == 302
    work()
    record = Import.objects.get(collection=people.collection)
    assert (record.state, record.problems) == ("checked", [])
    assert record.preview["counts"][:3] == [["Units", 400], ["Units, A", 200], ["Units, B", 200]]
    assert record.preview["rows"][0][0] == "A"
    researcher.post(f"/c/bees/imports/{record.pk}/publish")
    work()
    brought = {**entered, "name": "by-api", "kind": "experiment", "file": SimpleUploadedFile("log.csv", content)}
    answer = caller(people.researcher).post(reverse("api_imports", args=["bees"]), brought)
    assert answer.status_code == 202, answer.text
    work()
    send(caller(people.researcher), "post", f"/api/v1/collections/bees/imports/{answer.json()['id']}/publish", {})
    work()
    (tmp_path / "log.csv").write_bytes(content)
    words = ["import", "experiment", "bees", str(tmp_path / "log.csv"), "--name", "by-command", "--unit-column", "user"]
    ended = ran(*words, "--json")
    assert ended.code == 0, ended.err
    stored = list(Experiment.objects.filter(collection=people.collection).order_by("name"))
    assert [one.name for one in stored] == ["by-api", "by-command", "by-page"]
    assert len({one.sha256 for one in stored}) == 1
    for one in stored:
        assert (one.variant, one.unit, one.form, one.n, one.n_units) == (
            "arm",
            "user",
            "csv",
            {"A": 200, "B": 200},
            400,
        )
        assert (one.numbers, one.texts) == (["bought", "seconds", "before"], ["day", "land"])
    assert (stored[2].created_by, stored[2].description) == (people.researcher, "Why")
    assert ran(*words, "--json").code == 0  # the same again
    other = tmp_path / "other.csv"
    other.write_bytes(content.replace(b"u0,", b"v0,"))
    words[3] = str(other)
    assert "another experiment with the name by-command" in ran(*words).err


@pytest.mark.parametrize(
    ("content", "words", "reason"),
    [
        (b"arm,user,m\nA,1,2\nB,2,x\n" + b"A,3,4\n" * 2, ("--number-columns", "m"), ":3: the m 'x' is not a finite"),
        (b"arm,user,m\nA,1,2\nB,2,3\nA,1,4\n", ("--unit-column", "user"), ":4: the unit stands in line 2 already"),
        (b"arm,user,m\nA,1\nB,2,3\n", (), ":2: 3 cells expected, as in the header, 2 found"),
        (b"user,m\n1,2\n", (), ":1: no column is called variant or arm or group"),
        (b"arm,m\nA,x\nB,y\n", (), ":1: no column has numbers alone"),
        (b"arm,m,n\nA,1,x\n\nB,NaN,y\n", (), "there is nothing to measure. In this row there is 'NaN' as 'm'"),
        (
            b"arm,m,n\nA,1,x\nB,,y\n",
            (),
            ":3: no column has numbers alone: there is nothing to measure. In this row there is no 'm'",
        ),
        (b"arm,m\nA,1\nA,2\n", (), "all units have the variant A: there is nothing to compare"),
        (b"arm,m\nA,1\nB,2\n", ("--variant-column", "where"), ":1: there is no column 'where'; there are arm, m"),
        (b"arm,m\n" + b"A,1\nB,2\n" * 501 + b"B,x\n", (), ":1004: the m 'x' is not a finite decimal number"),
    ],
)
def test_malformed_logs_are_refused_by_line(
    tmp_path: Path, content: bytes, words: tuple[str, ...], reason: str
) -> None:
    make_collection("bees")
    (tmp_path / "log.csv").write_bytes(content)
    ended = ran("import", "experiment", "bees", str(tmp_path / "log.csv"), "--name", "checkout", *words)
    assert ended.code == 1
    assert f"log.csv{reason}" in ended.err or reason in ended.err
    assert not Experiment.objects.filter(name="checkout").exists()


def test_every_door_gives_the_same_numbers() -> None:
    people = make_people()
    experiment = make_experiment(people.collection)
    researcher = people.client("researcher")
    assert researcher.post(PAGE, FORM).status_code == 302
    assert work().state == "done"
    by_page = ExperimentAnalysis.objects.get()
    analyses = reverse("api_ab_test_analyses", args=["bees", "checkout"])
    answer = send(caller(people.researcher), "post", analyses, ASKED)
    assert answer.status_code == 202, answer.text
    assert work().state == "done"
    (line,) = caller(people.researcher).get(analyses).json()["results"]
    by_api = caller(people.researcher).get(line["url"]).json()["facts"]
    by_command = ran("experiments", "analyse", "bees", "checkout", *WORDS).facts
    path = str(log_path(experiment))
    by_file = ran("analyse_experiment", path, "--variant", "arm", "--unit", "user", *WORDS).facts
    assert by_page.facts == by_api == by_command == by_file
    assert ExperimentAnalysis.objects.count() == 1  # the same question is not computed twice
    analysis = ts.analyse_experiment(
        path, variant="arm", unit="user", control="A", measures=["bought", "seconds"], covariate="before",
        ratios=[("bought", "seconds")], segments=["land"], time="day", start=50, events=10,
    )  # fmt: skip
    assert [one.effect.p for one in analysis.comparisons] == [one["p"] for one in by_file["comparisons"]]
    researcher.post(PAGE, {**FORM, "alpha": 0.1})
    work()
    assert ExperimentAnalysis.objects.count() == 2  # another question of the same measures is
    downloaded = researcher.get(f"{PAGE}analyses/{by_page.pk}/file?form=json")
    assert json.loads(downloaded.content) == by_file
    rows = researcher.get(f"{PAGE}analyses/{by_page.pk}/file").text.splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == ["all units"] * 3 + ["guardrail"] * 2 + ["segment"] * 6
    first = dict(zip(rows[0].split(","), rows[1].split(","), strict=True))
    assert float(first["difference"]) == by_file["comparisons"][0]["difference"]
    looks = researcher.get(f"{PAGE}analyses/{by_page.pk}/file?form=looks").text.splitlines()
    assert len(looks) == 1 + 3 * 9


def test_the_page_tells_its_story() -> None:
    people = make_people()
    make_experiment(people.collection)
    researcher = people.client("researcher")
    assert "Not analysed yet" in researcher.get(PAGE).text
    assert "checkout" in researcher.get("/c/bees/ab-tests/").text
    researcher.post(PAGE, FORM)
    assert "See the job" in researcher.get(PAGE).text
    work()
    page = researcher.get(PAGE).text
    for words in (
        "no mismatch found",
        "bought: B is above A",
        "the covariate saved",
        "holds",
        "The segments",
        "over time",
    ):
        assert words in page
    parts = [page.index(f'id="{part}"') for part in ("ratio", "words", "measure-1", "guardrails", "segments", "ask")]
    assert parts == sorted(parts)
    assert ("March 2026" in page, "2026-03" in page) == (True, False)
    assert 'value="seconds=2, bought=-5%"' in page  # what was asked stands in the form
    pk = ExperimentAnalysis.objects.get().pk
    assert researcher.get(f"{PAGE}?analysis={pk}").status_code == 200
    assert [researcher.get(f"{PAGE}?analysis={wrong}").status_code for wrong in (pk + 1, "x")] == [404, 404]
    assert researcher.get(f"{PAGE}analyses/{pk}/file?form=x").status_code == 404


def test_of_many_measures_the_page_begins_with_what_was_shown() -> None:
    people = make_people()
    make_experiment(people.collection)
    researcher = people.client("researcher")
    researcher.post(PAGE, FORM)
    work()
    analysis = ExperimentAnalysis.objects.get()
    shown = next(one for one in analysis.facts["comparisons"] if one["p_adjusted"] < 0.01)
    others = [{**shown, "measure": f"other {n}", "p_adjusted": 1.0} for n in range(9)]
    facts = {**analysis.facts, "segments": [], "interactions": [], "paths": []}
    facts["comparisons"] = [*others[:8], shown]
    findings = findings_of(facts)
    assert ([each.word for each in findings.first[:9]], findings.folded) == ([*["not shown"] * 8, "shown"], [])
    facts["comparisons"] = [*others, shown]
    findings = findings_of(facts)
    assert (findings.first[0].word, len(findings.folded)) == ("shown", 9)
    assert [part.is_folded for part in measure_parts(facts)] == [False] * 4 + [True] * 6
    analysis.facts = facts
    analysis.save()
    page = researcher.get(PAGE).text
    assert page.index("9 differences were not shown") < page.index("other 0")
    assert page.count("<summary>Figures of other") == 5


def test_a_mismatch_shows_no_difference() -> None:
    people = make_people()
    make_experiment(people.collection)
    people.client("researcher").post(PAGE, {**FORM, "share": "A=9, B=1"})
    work()
    page = people.client("researcher").get(PAGE).text
    assert "does not fit" in page
    assert re.search(r"p = \de-\d+;", page)
    assert "measure-1" not in page
    assert "Guardrails</h2>" not in page
    files = f"{PAGE}analyses/{ExperimentAnalysis.objects.get().pk}/file"
    answers = [people.client("researcher").get(f"{files}{form}") for form in ("", "?form=looks", "?form=json")]
    assert [answer.status_code for answer in answers] == [404, 404, 200]
    assert "form=csv" not in page
    assert "form=json" in page
    assert json.loads(answers[2].content)["sample_ratio"]["mismatch"]


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"control": "C"}, "control", "Select a valid choice"),
        ({"measures": ["land"]}, "measures", "Select a valid choice"),
        ({"guardrail": "seconds"}, "non_field_errors", "NAME=NUMBER is expected"),
        ({"ratio": "seconds"}, "non_field_errors", "of a ratio two columns are expected"),
        ({"every": "soon"}, "non_field_errors", "no length of time"),
        ({"cluster": "land"}, "non_field_errors", "with clusters no looks are taken"),
        ({"replicates": 1}, "replicates", "greater than or equal to 2"),
        ({"covariate": "bought"}, "non_field_errors", "bought is a measure"),
    ],
)
def test_what_cannot_be_asked_is_refused(changes: dict[str, Any], field: str, reason: str) -> None:
    people = make_people()
    make_experiment(people.collection)
    analyses = reverse("api_ab_test_analyses", args=["bees", "checkout"])
    answer = send(caller(people.researcher), "post", analyses, {**ASKED, **changes})
    assert (answer.status_code, list(refused_fields(answer))) == (400, [field])
    assert reason in answer.text
    assert people.client("researcher").post(PAGE, {**FORM, **changes}).status_code == 422
    assert not Job.objects.exists()


def test_what_the_log_cannot_answer_is_said_by_the_job() -> None:
    people = make_people()
    make_experiment(people.collection)
    for changes, reason in (
        ({"ratio": "", "guardrail": "", "share": "A=1, C=1"}, "the variant B has no share"),
        ({"segments": ["day"], "time": "land"}, "log.csv:2: the land"),
    ):
        people.client("researcher").post(PAGE, {**FORM, **changes})
        job = work()
        assert job.state == "failed"
        assert reason.lower() in job.error.lower()
    assert not ExperimentAnalysis.objects.exists()


def test_a_cancel_ends_the_analysis_and_a_live_job_keeps_the_experiment() -> None:
    people = make_people()
    make_experiment(people.collection)
    people.client("researcher").post(PAGE, FORM)
    assert people.client("researcher").post(f"{PAGE}delete").status_code == 403
    people.client("admin").post(f"{PAGE}delete")
    assert ran("experiments", "delete", "bees", "checkout").code == 1
    assert Experiment.objects.exists()
    run = claim_job()
    assert run is not None
    ask_cancel(run.job)
    assert run_job(run).state == "cancelled"
    assert not ExperimentAnalysis.objects.exists()
    assert ran("experiments", "list", "bees", "--json").facts[0]["name"] == "checkout"
    assert ran("experiments", "delete", "bees", "checkout", "--dry-run").code == 0
    people.client("admin").post(f"{PAGE}delete")
    assert not Experiment.objects.exists()
    assert AuditEvent.objects.filter(verb="experiment deleted").count() == 1


def test_who_may_see_it() -> None:
    people = make_people()
    make_experiment(people.collection)
    assert people.statuses(PAGE) == RESEARCH_ONLY
