"""Runs compared by the API: the numbers of the command, on what was evaluated."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from tests.annotation.callers import RESEARCH, caller, callers
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.factories import make_collection, make_run, make_snapshot

pytestmark = pytest.mark.django_db

ADDRESS = reverse("api_evaluations_compare", args=["bees"])
QRELS = "".join(f"{topic} 0 d{n} {(topic * n) % 3}\n" for topic in range(1, 9) for n in range(6))
TAGS = ("one", "two", "three")


def run_text(tag: str, step: int) -> str:
    order = [(n * step + topic) % 6 for topic in range(1, 9) for n in range(6)]
    lines = zip([topic for topic in range(1, 9) for _ in range(6)], order, range(48), strict=True)
    return "".join(f"{topic} Q0 d{n} 1 {100 - at} {tag}\n" for topic, n, at in lines)


RUNS = {tag: run_text(tag, step) for tag, step in zip(TAGS, (1, 5, 7), strict=True)}


def started() -> tuple[People, Client]:
    people = make_people()
    snapshot = make_snapshot(people.collection, QRELS, name="first")
    runs = [make_run(people.collection, text) for text in RUNS.values()]
    ask_evaluation(snapshot, runs, measures=["nDCG@10", "AP"], averaging="complete", created_by=None)
    while run := claim_job():
        assert run_job(run).state == "done"
    return people, caller(people.researcher)


def asked(**changes: object) -> dict[str, Any]:
    return {"snapshot": "first", "run": list(TAGS), "measure": ["nDCG@10", "AP"], **changes}


def test_who_may() -> None:
    people, _ = started()
    codes = {who: client.get(ADDRESS, asked()).status_code for who, client in callers(people).items()}
    assert codes == RESEARCH


@pytest.mark.parametrize(
    "design",
    [
        {},
        {"test": "t", "correction": "bonferroni", "baseline": "two", "minimum_difference": 0.05, "seed": 4},
        {"test": "bootstrap", "interval": "bca", "confidence": 0.9, "draws": 500, "seed": 9},
    ],
)
def test_the_numbers_are_those_of_the_command(design: dict[str, Any], tmp_path: Path) -> None:
    _, client = started()
    (tmp_path / "qrels").write_text(QRELS)
    for tag, text in RUNS.items():
        (tmp_path / tag).write_text(text)
    output, paths = io.StringIO(), [str(tmp_path / tag) for tag in TAGS]
    options = {"measure": ["nDCG@10", "AP"], "format": "json", "stdout": output, "stderr": io.StringIO(), **design}
    call_command("compare", str(tmp_path / "qrels"), *paths, **options)
    answer = client.get(ADDRESS, asked(**design))
    assert answer.status_code == 200, answer.content
    assert answer.json() == json.loads(output.getvalue())


def test_all_that_is_evaluated_unless_runs_are_named() -> None:
    _, client = started()
    (measure,) = client.get(ADDRESS, {"snapshot": "first", "measure": "AP"}).json()["measures"]
    assert set(measure["mean"]) == set(TAGS)
    assert len(measure["pairs"]) == 3


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"snapshot": "second"}, {"snapshot"}),
        ({"run": ["one"]}, {"run"}),
        ({"run": ["one", "four"]}, {"run"}),
        ({"measure": ["RBP"]}, {"measure"}),
        ({"measure": ["nDCQ"]}, {"measure"}),
        ({"measure": ["GMAP"]}, {"measure"}),
        ({"test": "guess"}, {"test"}),
        ({"confidence": "nan"}, {"confidence"}),
        ({"alpha": "inf"}, {"alpha"}),
        ({"draws": 10**9}, {"draws"}),
        ({"baseline": "four"}, {"non_field_errors"}),
        ({"minimum_difference": -1}, {"non_field_errors"}),
    ],
)
def test_what_cannot_be_compared_is_refused_by_field(changes: dict[str, object], fields: set[str]) -> None:
    _, client = started()
    answer = client.get(ADDRESS, asked(**changes))
    assert (answer.status_code, refused_fields(answer)) == (400, fields)


def test_a_measure_is_needed_and_a_snapshot_of_this_collection() -> None:
    _, client = started()
    make_snapshot(make_collection(), QRELS, name="theirs")
    assert refused_fields(client.get(ADDRESS, {"snapshot": "theirs"})) == {"snapshot", "measure"}
