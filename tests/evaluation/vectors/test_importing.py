"""Vectors on their way in: by page, API and command the same file; what is wrong is refused by row."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.formats.store import path_of
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import AuditEvent, Import
from evaluation.engine.packed_vectors import load_vectors
from evaluation.models import VectorSet
from tests.annotation.callers import caller
from tests.annotation.roles import make_people
from tests.commands import ran
from tests.evaluation.vectors.made import Made, bring, bring_both, lines, made, npy

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]

PAGE = "/c/bees/imports/new/vectors"


def work() -> None:
    while run := claim_job():
        run_job(run)


def entered(some: Made, **changes: Any) -> dict[str, Any]:
    answers = {"model": "org/e5", "side": "documents", "similarity": "inner", "unknown": "refuse", "description": ""}
    files = {
        "file": SimpleUploadedFile("docs.f32.npy", npy(some.document)),
        "ids": SimpleUploadedFile("docs.ids.txt", lines(some.docnos)),
    }
    return {**answers, **files, "format": "npy", "publish": True, **changes}


def test_page_api_and_command_store_the_same_file(tmp_path: Path, settings: Any) -> None:
    people = make_people()
    some = made(people.collection)
    assert people.client("researcher").post(PAGE, entered(some)).status_code == 302
    work()
    record, stored = Import.objects.get(), VectorSet.objects.get()
    assert (record.state, record.problems) == ("published", [])
    facts = (stored.model, stored.side, stored.similarity, stored.numbers, stored.dim, stored.n_rows)
    assert facts == ("org/e5", "documents", "inner", "float32", 8, 15)
    assert (stored.created_by, stored.filename) == (people.researcher, "docs.f32.npy")
    packed = load_vectors(path_of(settings.TOUCHSTONE_FILES, stored.sha256))
    assert packed.names == some.docnos
    assert np.array_equal(packed.vector, some.document)
    asked = {**entered(some, model="by-api"), "kind": "vectors"}
    answer = caller(people.researcher).post(reverse("api_imports", args=["bees"]), asked)
    assert answer.status_code == 202, answer.text
    work()
    _, documents = some.write(tmp_path)
    words = ["import", "vectors", "bees", str(documents), "--model", "by-command", "--side", "documents"]
    ended = ran(*words, "--json")
    assert (ended.code, json.loads(ended.out)["counts"]) == (0, {"Vectors": 15, "Dimensions": 8})
    assert VectorSet.objects.values("sha256").distinct().count() == 1
    assert AuditEvent.objects.filter(verb="import published").count() == 3
    shown = people.client("admin").get(f"/c/bees/imports/{record.pk}/")
    assert "/c/bees/vectors/" in shown.text


@pytest.mark.parametrize(
    ("change", "where", "reason"),
    [
        ("nan", "queries.npy:2", "number 3 of the vector is not a number"),
        ("infinite", "queries.npy:2", "number 1 of the vector is infinite"),
        ("zero", "queries.npy:3", "the vector is zero"),
        ("double", "queries.ids.txt:3", "the id '1' stands in row 1 already"),
        ("unknown", "queries.npy:2", "the collection has no topic '9'"),
        ("few", "queries.ids.txt", "2 ids for 3 vectors"),
    ],
)
def test_what_is_wrong_is_refused_by_row(change: str, where: str, reason: str) -> None:
    collection = make_people().collection
    some = made(collection)
    vector, ids = some.query.copy(), list(some.numbers)
    if change == "nan":
        vector[1, 2] = np.nan
    elif change == "infinite":
        vector[1, 0] = np.inf
    elif change == "zero":
        vector[2] = 0
    elif change == "double":
        ids[2] = "1"
    elif change == "unknown":
        ids[1] = "9"
    else:
        ids.pop()
    record = bring(collection, "queries", vector, ids)
    assert record.state == Import.State.REFUSED
    [problem] = record.problems
    line = f":{problem['line']}" if problem["line"] else ""
    assert (f"{problem['file']}{line}", reason in problem["reason"]) == (where, True), problem
    assert not VectorSet.objects.exists()


@pytest.mark.parametrize(("choice", "n_rows", "n_unknown"), [("skip", 2, 0), ("keep", 3, 1)])
def test_unknown_ids_are_left_aside_or_kept_and_texts_without_a_vector_are_counted(
    choice: str, n_rows: int, n_unknown: int
) -> None:
    collection = make_people().collection
    some = made(collection)
    record = bring(collection, "queries", some.query, ["1", "9", "3"], unknown=choice)
    stored = VectorSet.objects.get()
    assert (stored.n_rows, stored.n_unknown, stored.n_missing) == (n_rows, n_unknown, 1)
    assert any("1 topic of the collection without a vector" in note for note in record.preview["notes"])
    assert [each["line"] for each in record.preview.get("aside", [])] == ([2] if choice == "skip" else [])


def test_the_same_again_changes_nothing_and_others_under_the_name_are_refused() -> None:
    collection = make_people().collection
    some = made(collection)
    bring_both(collection, some)
    again = bring(collection, "queries", some.query, some.numbers)
    assert again.state == Import.State.PUBLISHED
    assert "already here, unchanged" in again.preview["notes"][0]
    other = bring(collection, "queries", some.query * 2, some.numbers)
    assert "already has other vectors of the queries of mine" in other.problems[0]["reason"]
    assert VectorSet.objects.count() == 2


def test_ids_are_asked_for_where_the_form_has_none() -> None:
    people = make_people()
    some = made(people.collection)
    answers = entered(some)
    del answers["ids"]
    people.client("admin").post(PAGE, answers)
    work()
    [problem] = Import.objects.get().problems
    assert (problem["file"], "send a file with an id a line" in problem["reason"]) == ("docs.f32.npy", True)


def test_lines_of_jsonl_are_named_and_half_numbers_come_as_they_are(tmp_path: Path) -> None:
    collection = make_people().collection
    made(collection)
    rows = [{"id": "1", "vector": [1, 0]}, {"id": "2", "vector": [0, 0]}]
    path = tmp_path / "queries.jsonl"
    path.write_text("\n" + "".join(f"{json.dumps(row)}\n" for row in rows))
    words = ["import", "vectors", "bees", str(path), "--model", "m", "--side", "queries"]
    ended = ran(*words)
    assert (ended.code, "queries.jsonl:3: the vector is zero" in ended.err) == (1, True)
    assert ran(*words, "--similarity", "inner").code == 0
    assert VectorSet.objects.get().numbers == "decimal"
    halves: Any = np.eye(3, dtype=np.float16)
    assert bring(collection, "queries", halves, ["1", "2", "3"], model="half").state == "published"
    assert VectorSet.objects.get(model="half").numbers == "float16"
