"""Models beside a reference, on stored vectors: page, API and commands give the same numbers, computed once."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from annotation.kernel.jobs import ask_cancel, claim_job, run_job
from annotation.models import AuditEvent, Job
from evaluation.models import ModelComparison
from evaluation.vectors.pages.reference_model import conclusion, panels
from tests.annotation.callers import RESEARCH, caller, send, statuses
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.commands import ran
from tests.evaluation.vectors.made import Made, bring_both, made_vectors

pytestmark = pytest.mark.django_db

PAGE, ADDRESS = "/c/bees/vectors/comparisons/", reverse("api_model_comparisons", args=["bees"])
MODELS = ("large", "small", "tiny")
ASKED = {"queries": 9, "documents": 10, "test": "t", "correction": "holm", "seed": 5, "pairs": "", "similarity": ""}


def beginning() -> tuple[People, dict[str, Made]]:
    """Three models; the second is the first with a little noise, the third with a lot."""
    people = make_people()
    some, rng = made_vectors(people.collection, n_queries=12, n_documents=30), np.random.default_rng(4)
    models = {}
    for name, noise in zip(MODELS, (0.0, 0.3, 2.0), strict=True):
        query, document = (
            side + noise * rng.standard_normal(side.shape).astype(np.float32) for side in (some.query, some.document)
        )
        models[name] = Made(some.numbers, some.docnos, query, document)
        bring_both(people.collection, models[name], model=name)
    return people, models


def written(models: dict[str, Made], folder: Path) -> list[str]:
    """The same as folders of files."""
    for name, one in models.items():
        (folder / name).mkdir()
        one.write(folder / name)
    return [str(folder / name) for name in models]


def entered(**changes: Any) -> dict[str, Any]:
    return {"reference": "large", "models": ["small", "tiny"], "k": "1 5", **ASKED, **changes}


def work() -> Job:
    run = claim_job()
    assert run is not None
    return run_job(run)


OPTIONS = ("--queries", "9", "--k", "1", "5", "--documents", "10", "--test", "t", "--seed", "5")


def test_page_api_and_commands_give_the_same_numbers(tmp_path: Path) -> None:
    people, models = beginning()
    client, program = people.client("researcher"), caller(people.researcher)
    client.post(PAGE, entered())
    assert "running-job" in client.get(PAGE).text
    done = work()
    assert (done.state, done.result["reference"]) == ("done", "large")
    of_files = ran("compare_embeddings", *written(models, tmp_path), *OPTIONS, "--out", str(tmp_path / "out"), "--json")
    stored = ModelComparison.objects.get()
    assert stored.facts == of_files.facts
    asked = {name: value for name, value in entered(k=[1, 5]).items() if value != ""}
    answer = send(program, "post", ADDRESS, asked)
    assert (answer.status_code, answer.json()["comparisons_url"]) == (202, f"http://testserver{ADDRESS}")
    assert work().state == Job.State.DONE
    by_command = ran("vectors", "compare", "bees", *MODELS, *OPTIONS, "--json")
    assert ModelComparison.objects.count() == 1  # found once
    one = program.get(reverse("api_model_comparison", args=["bees", stored.pk])).json()
    assert (one["facts"], one["models"], one["reference"]) == (of_files.facts, ["small", "tiny"], "large")
    assert by_command.facts == {"comparison": stored.pk, "conclusion": one["conclusion"], **of_files.facts}
    assert [line["id"] for line in program.get(ADDRESS).json()["results"]] == [stored.pk]
    page = client.get(f"{PAGE}{stored.pk}")
    for model in of_files.facts["models"]:
        for row in model["measures"]:
            assert f"{row['mean']:z.4f} ± {row['deviation']:.4f}" in page.text
        csv_file = client.get(f"{PAGE}{stored.pk}/file", {"form": "csv", "model": model["model"]})
        assert csv_file.content == (tmp_path / "out" / f"{model['model']}.csv").read_bytes()
    for test in of_files.facts["tests"]:
        assert f"{test['difference']:+.4f}".replace("-", "−") in page.text
    assert json.loads(client.get(f"{PAGE}{stored.pk}/file").content) == of_files.facts
    assert one["conclusion"][0] in page.text
    assert by_command.facts["conclusion"][0].startswith("Of the 5 documents nearest to a query by large, small has ")
    assert f"{PAGE}{stored.pk}" in client.get(f"/jobs/{done.token}/").text
    assert AuditEvent.objects.filter(verb="models compared", subject="large", actor=people.researcher).count() == 2


def test_documents_alone_and_target_similarities_as_of_files(tmp_path: Path) -> None:
    people, models = beginning()
    files = [str(Path(folder) / "docs.npy") for folder in written(models, tmp_path)]
    ended = ran("vectors", "compare", "bees", *MODELS, *OPTIONS, "--documents-alone", "--json")
    of_files = ran("compare_embeddings", *files, *OPTIONS, "--json")
    rows = [[model["measures"] for model in each.facts["models"]] for each in (ended, of_files)]
    assert rows[0] == rows[1]
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("".join(f"d{n} d{n + 3} {n / 20}\n" for n in range(1, 20)))
    client = people.client("admin")
    client.post(PAGE, entered(documents_alone="on", pairs=pairs.read_text().replace("\n", "\r\n")))
    assert work().state == Job.State.DONE
    stored = ModelComparison.objects.get(facts__n_pairs=19)
    of_files = ran("compare_embeddings", *files, "--test", "t", "--seed", "5", "--pairs", str(pairs), "--json")
    assert [one["measures"] for one in stored.facts["models"]] == [one["measures"] for one in of_files.facts["models"]]
    page = client.get(f"{PAGE}{stored.pk}").text
    assert "follows the target similarities of 19 pairs best: Spearman" in page
    text = client.get(f"{PAGE}{stored.pk}/file", {"form": "csv", "model": "tiny"}).text
    assert next(csv.reader(io.StringIO(text))) == ["measure", "mean", "deviation"]
    client.post(PAGE, entered(documents_alone="on", pairs="d1 nobody 1\nd1 d2\n"))
    failed = work()
    assert failed.error == (
        "pairs:1: no vector has the id 'nobody'; pairs:2: two ids and a decimal number are expected; there is 'd1 d2'"
    )


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"models": ["large"]}, {"models"}),
        ({"models": ["other"]}, {"models"}),
        ({"k": "0 5"}, {"k"}),
        ({"k": "1 zwei"}, {"k"}),
        ({"documents": 2}, {"documents"}),
        ({"seed": -1}, {"seed"}),
    ],
)
def test_what_cannot_be_compared_is_refused_by_field(changes: dict[str, Any], fields: set[str]) -> None:
    people, _ = beginning()
    page = people.client("researcher").post(PAGE, entered(**changes))
    assert (page.status_code, set(page.context["form"].errors)) == (422, fields)
    if "zwei" not in changes.get("k", ""):
        asked = {name: value for name, value in entered(**changes).items() if value != ""}
        asked["k"] = [int(word) for word in asked["k"].split()]
        answer = send(caller(people.researcher), "post", ADDRESS, asked)
        assert (answer.status_code, refused_fields(answer) & fields) == (400, fields)
    assert not Job.objects.filter(kind="compare_models").exists()


def test_what_is_not_there_or_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    people, _ = beginning()
    client = people.client("admin")
    people.collection.vectors.get(model="tiny", side="queries").delete()
    page = client.post(PAGE, entered())
    assert (page.status_code, "no vectors of tiny for the queries" in page.text) == (422, True)
    assert send(caller(people.admin), "post", ADDRESS, {"reference": "large", "models": ["tiny"]}).status_code == 400
    assert "no vectors of tiny" in ran("vectors", "compare", "bees", "large", "tiny").err
    assert ran("vectors", "compare", "bees", "large", "small", "--dry-run").code == 0
    assert ran("vectors", "compare", "bees", "large", "small", "--queries", "0").code == 2
    few = ran("vectors", "compare", "bees", "large", "small", "--k", "31")
    assert (few.code, "the models share 30 documents" in few.err) == (1, True)
    monkeypatch.setattr("evaluation.vectors.steps.comparing.MOST_NUMBERS", 100)
    assert "more than are compared here" in client.post(PAGE, entered(models=["small"])).text


def test_zeros_under_a_cosine_and_vectors_that_go_meanwhile_fail_the_job_in_words() -> None:
    people, models = beginning()
    client = people.client("admin")
    document = models["small"].document.copy()
    document[4] = 0
    zeros = Made(models["small"].numbers, models["small"].docnos, models["small"].query, document)
    bring_both(people.collection, zeros, model="zeros", similarity="inner")
    client.post(PAGE, entered(models=["zeros"]))
    assert work().error == "The vector of d5 is zero: it has no cosine with any other."
    client.post(PAGE, entered(models=["zeros"], similarity="inner"))
    assert work().state == Job.State.DONE
    client.post(PAGE, entered(models=["small"], seed="6"))
    people.collection.vectors.get(model="small", side="queries").delete()
    assert work().error == "Vectors are not there any more."
    assert ModelComparison.objects.count() == 1


def test_a_comparison_that_is_cancelled_stores_nothing_and_vectors_take_theirs_along() -> None:
    people, _ = beginning()
    client = people.client("admin")
    client.post(PAGE, entered())
    run = claim_job()
    assert run is not None
    ask_cancel(run.job)
    assert (run_job(run).state, ModelComparison.objects.count()) == (Job.State.CANCELLED, 0)
    for models in (["small"], ["tiny"]):
        client.post(PAGE, entered(models=models))
        assert work().state == Job.State.DONE
    client.post("/c/bees/vectors/delete/queries/tiny")
    assert [one.others for one in ModelComparison.objects.all()] == [["small"]]


def test_who_looks_at_comparisons() -> None:
    people, _ = beginning()
    people.client("admin").post(PAGE, entered())
    work()
    pk = ModelComparison.objects.get().pk
    for page in (PAGE, f"{PAGE}{pk}", f"{PAGE}{pk}/file"):
        assert people.statuses(page) == RESEARCH_ONLY
    for address in (ADDRESS, reverse("api_model_comparison", args=["bees", pk])):
        assert statuses(people, address) == RESEARCH
    assert send(caller(people.annotator), "post", ADDRESS).status_code == 403
    client = people.client("admin")
    assert client.get(f"{PAGE}{pk + 1}").status_code == 404
    assert client.get(f"{PAGE}{pk}/file", {"form": "csv", "model": "none"}).status_code == 404
    assert client.get(f"{PAGE}{pk}/file", {"form": "exe"}).status_code == 404


def test_panels_lie_within_their_edges_and_bands_around_their_lines() -> None:
    row = {"measure": "R", "deviation": 0.2, "n_queries": 9}
    cells = {1: (0.0, 0.0, 0.1), 5: (0.5, 0.4, 0.6), 10: (1.0, None, None)}
    measures = [
        {**row, "measure": family, "k": k, "mean": mean, "low": low, "high": high}
        for family in ("R", "nDCG", "RR", "AP(of='found')", "RBO")
        for k, (mean, low, high) in cells.items()
    ]
    facts = {"reference": "large", "n_queries": 9, "models": [{"model": "a", "measures": measures}], "tests": []}
    panel, *others = panels(facts)
    [line] = panel.lines
    assert len(others) == 4
    assert line.points == "40.0,204.0 184.0,108.0 328.0,12.0"
    assert line.band == "40.0,184.8 184.0,88.8 328.0,12.0 328.0,12.0 184.0,127.2 40.0,204.0"
    assert line.dots[1].text == "a: R@5 0.5000 ± 0.2000, 95 % interval 0.4000 to 0.6000"
    assert [tick.text for tick in panel.across] == ["1", "5", "10"]
    [sentence] = conclusion(facts)
    assert sentence.endswith(
        "nearest to a query by large, a has 100 % among its own first 10 (R@10 1.000, over 9 queries)."
    )
