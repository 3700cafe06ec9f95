"""Vectors on their way in: by page, API and command the same file; what is wrong is refused by row."""

import html
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.kernel.store import path_of
from annotation.models import AuditEvent, Import
from evaluation.engine.packed_vectors import load_vectors
from evaluation.models import VectorSet
from tests.annotation.callers import caller
from tests.annotation.roles import make_people
from tests.commands import ran
from tests.evaluation.vectors.made import Made, bring, bring_both, lines, made_vectors, npy

pytestmark = pytest.mark.django_db

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
    some = made_vectors(people.collection)
    assert people.client("researcher").post(PAGE, entered(some)).status_code == 302
    work()
    record, stored = Import.objects.get(), VectorSet.objects.get()
    assert (record.state, record.problems) == ("published", [])
    facts = (stored.model, stored.side, stored.similarity, stored.numbers, stored.dim, stored.n_rows)
    assert facts == ("org/e5", "documents", "inner", "float32", 8, 15)
    assert (stored.created_by, stored.filename) == (people.researcher, "docs.f32.npy")
    packed = load_vectors(path_of(stored.sha256))
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


@pytest.mark.both("imports")
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
    some = made_vectors(collection)
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


def npy_of(header: str, body: bytes = bytes(48)) -> bytes:
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + body


def tensor(body: bytes = bytes(48), **changes: Any) -> bytes:
    """By a header of safetensors that says F32, 3 × 4, unless `changes` say otherwise."""
    text = json.dumps({"x": {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48], **changes}}).encode()
    return len(text).to_bytes(8, "little") + text + body


def columns(**columns: Any) -> bytes:
    stream = BytesIO()
    pl.DataFrame(columns).write_parquet(stream)
    return stream.getvalue()


def objects(*changed: str) -> bytes:
    """JSONL of d1, d2 …; what is changed stands at the end."""
    good = [json.dumps({"id": f"d{n + 1}", "vector": [1, n, 2, 3]}) for n in range(3 - len(changed))]
    return "\n".join([*good, *changed, ""]).encode()


IDS, ROWS = ["d1", "d2", "d3"], [[1.0, 2.0, 3.0, 4.0]] * 3
PLAIN = np.array(ROWS, np.float32)
MALFORMED = {
    "npy": {
        "pickled": (npy_of("{'descr': '|O', 'fortran_order': False, 'shape': (3, 4)}"), 0, "numbers of type '|O'"),
        "truncated": (npy(PLAIN)[:-5], 0, "make 176 bytes; the file has 171"),
        "longer": (npy(PLAIN) + b"x", 0, "make 176 bytes; the file has 177"),
        "by columns": (npy(np.asfortranarray(PLAIN)), 0, "columns lie one after the other"),
        "big-endian": (npy(PLAIN.astype(">f4")), 0, "numbers of type '>f4'"),
        "whole numbers": (npy(PLAIN.astype(np.int64)), 0, "numbers of type '<i8'"),
        "one axis": (npy(PLAIN[:, 0]), 0, "the shape is '(3,)'"),
        "no rows": (npy(PLAIN[:0]), 0, "3 ids for 0 vectors"),
        "huge": (npy_of("{'descr': '<f4', 'fortran_order': False, 'shape': (9000000000, 4)}"), 0, "the file has 176"),
        "code": (npy_of("{'descr': '<f4', 'fortran_order': False, 'shape': (3, len('abcd'))}"), 0, "name exactly"),
        "not a number": (npy(PLAIN * [[1], [np.nan], [1]]), 2, "number 1 of the vector is not a number"),
        "beyond float32": (npy(PLAIN.astype(np.float64) * [[1], [1], [1e300]]), 3, "infinite in float32"),
        "zero": (npy(PLAIN * np.array([[1], [1], [0]], np.float32)), 3, "the vector is zero"),
        "empty": (b"", 0, "there is nothing in this file"),
    },
    "safetensors": {
        "header beyond the file": ((1 << 50).to_bytes(8, "little") + b"{" + bytes(60), 0, "not that of a .safetensors"),
        "offsets that lie": (tensor(data_offsets=[8, 56]), 0, "data_offsets are 8 and 56; 0 and 48 are expected"),
        "a shape that lies": (tensor(shape=[30, 4]), 0, "30 × 4 of F32 make"),
        "negative": (tensor(data_offsets=[-48, 0]), 0, "not that of a .safetensors"),
        "true for 1": (tensor(shape=[True, 4]), 0, "not that of a .safetensors"),
        "another type": (tensor(dtype="BF16"), 0, "numbers of type 'BF16'"),
        "truncated": (tensor()[:-1], 0, "make"),
        "longer": (tensor() + b"y", 0, "make"),
        "infinite": (tensor((PLAIN * np.array([[1], [np.inf], [1]], np.float32)).tobytes()), 2, "infinite"),
        "zero": (tensor((PLAIN * np.array([[1], [0], [1]], np.float32)).tobytes()), 2, "the vector is zero"),
        "no text": (b"\x05" + bytes(7) + b"{{{{{" + bytes(48), 0, "not that of a .safetensors"),
    },
    "parquet": {
        "truncated": (columns(id=IDS, vector=ROWS)[:-9], 0, "not a Parquet file"),
        "ragged": (columns(id=IDS, vector=[*ROWS[:2], [1.0]]), 3, "1 dimensions; the first row has 4"),
        "no vector": (columns(id=IDS, vector=[ROWS[0], None, ROWS[0]]), 2, "0 dimensions; the first row has 4"),
        "no number": (columns(id=IDS, vector=[*ROWS[:2], [1.0, 2.0, None, 4.0]]), 3, "number 3 of the vector"),
        "text": (columns(id=IDS, vector=["a", "b", "c"]), 0, "lists of decimal numbers are expected"),
        "no column": (columns(id=IDS), 0, "a column of ids"),
        "id twice": (columns(id=["d1", "d2", "d1"], vector=ROWS), 3, "stands in row 1 already"),
        "no id": (columns(id=["d1", None, "d3"], vector=ROWS), 2, "the id is empty"),
        "not a number": (columns(id=IDS, vector=[*ROWS[:2], [1.0, float("nan"), 3.0, 4.0]]), 3, "not a number"),
        "zero": (columns(id=IDS, vector=[[0.0] * 4, *ROWS[:2]]), 1, "the vector is zero"),
        "nothing but its name": (b"PAR1", 0, "not a Parquet file"),
    },
    "jsonl": {
        "broken": (objects('{"id": "d3", "vector": [1,'), 3, "not a JSON object"),
        "NaN": (objects('{"id": "d3", "vector": [NaN, 1, 2, 3]}'), 3, "NaN is not a JSON number"),
        "too large": (objects('{"id": "d3", "vector": [1e400, 1, 2, 3]}'), 3, "not a finite number"),
        "beyond float32": (objects('{"id": "d3", "vector": [1e39, 1, 2, 3]}'), 3, "infinite in float32"),
        "ragged": (objects('{"id": "d3", "vector": [1, 2]}'), 3, "2 dimensions; line 1 has 4"),
        "text": (objects('{"id": "d3", "vector": ["1", 1, 2, 3]}'), 3, "number 1 of the vector is not a finite number"),
        "true for 1": (objects('{"id": "d3", "vector": [true, 1, 2, 3]}'), 3, "number 1 of the vector"),
        "no id": (objects('{"vector": [1, 1, 2, 3]}'), 3, "no id"),
        "no vector": (objects('{"id": "d3"}'), 3, "no vector"),
        "id twice": (objects('{"id": "d1", "vector": [1, 1, 2, 3]}'), 3, "stands in line 1 already"),
        "zero": (objects('{"id": "d3", "vector": [0, 0, 0, 0]}'), 3, "the vector is zero"),
        "deep": (objects("[" * 5000), 3, "nested deeper than 32 levels"),
    },
}


@pytest.mark.both("imports")
@pytest.mark.parametrize(
    ("form", "content"),
    [
        ("npy", npy(PLAIN)),
        ("safetensors", tensor(PLAIN.tobytes())),
        ("parquet", columns(id=IDS, vector=ROWS)),
        ("jsonl", objects()),
    ],
)
def test_every_form_comes_in_by_api_and_command(form: str, content: bytes, tmp_path: Path) -> None:
    people = make_people()
    some = made_vectors(people.collection, n_documents=3, dim=4)
    asked = entered(some, kind="vectors", file=SimpleUploadedFile(f"docs.{form}", content), format=form)
    asked["ids"] = SimpleUploadedFile("docs.ids.txt", lines(IDS))
    with_ids = form in ("npy", "safetensors")
    answer = caller(people.researcher).post(
        reverse("api_imports", args=["bees"]), {key: one for key, one in asked.items() if key != "ids" or with_ids}
    )
    assert answer.status_code == 202, answer.text
    work()
    stored = VectorSet.objects.get()
    assert (stored.n_rows, stored.dim, Import.objects.get().preview["format"]["name"]) == (3, 4, form)
    (tmp_path / f"docs.{form}").write_bytes(content)
    (tmp_path / "docs.ids.txt").write_bytes(lines(IDS))
    words = (
        "import",
        "vectors",
        "bees",
        str(tmp_path / f"docs.{form}"),
        "--model",
        "by-command",
        "--side",
        "documents",
    )
    assert ran(*words).code == 0
    assert VectorSet.objects.values("sha256").distinct().count() == 1


@pytest.mark.parametrize("form", MALFORMED)
def test_malformed_files_are_refused_by_api_and_command_in_the_same_words(form: str, tmp_path: Path) -> None:
    people = make_people()
    some = made_vectors(people.collection, n_documents=3, dim=4)
    queries, _ = some.write(tmp_path)
    program, address = caller(people.researcher), reverse("api_imports", args=["bees"])
    path, ids = tmp_path / f"bad.{form}", form in ("npy", "safetensors")
    if ids:
        (tmp_path / "bad.ids.txt").write_bytes(lines(IDS))
    for name, (content, line, reason) in MALFORMED[form].items():
        path.write_bytes(content)
        asked = entered(some, kind="vectors", format=form, similarity="cosine")
        asked |= {"file": SimpleUploadedFile(path.name, content), "ids": SimpleUploadedFile("bad.ids.txt", lines(IDS))}
        answer = program.post(address, asked if ids else {key: one for key, one in asked.items() if key != "ids"})
        if not content:
            assert answer.status_code == 400, name
        else:
            assert answer.status_code == 202, (name, answer.text)
            work()
            record = Import.objects.latest("pk")
            assert (record.state, len(record.problems)) == (Import.State.REFUSED, 1), (name, record.problems)
            problem = record.problems[0]
            assert (problem["line"] or 0, reason in problem["reason"]) == (line, True), (name, problem)
        ended = ran("search_vectors", str(queries), str(path))
        where = f"bad.{form}:{line}: " if line else ""
        assert (ended.code, where in ended.err, reason in ended.err) == (1, True, True), (name, ended.err)
    assert not VectorSet.objects.exists()


GOOD = lines(IDS)
HALVES: Any = PLAIN.astype(np.float16)
HOSTILE = {  # vectors, ids, lines with a problem, a word of the first
    "a pickle": (
        npy_of("{'descr': '|O', 'fortran_order': False, 'shape': (3, 4)}", b"\x80\x04]."),
        GOOD,
        [0],
        "numbers of type",
    ),
    "a huge header": (b"\x93NUMPY\x02\x00\xff\xff\xff\x7f{" + bytes(99), GOOD, [0], "the header has 2147483647 bytes"),
    "truncated": (npy(PLAIN)[:-1], GOOD, [0], "the file has 175"),
    "halves beyond their range": (npy(np.where(HALVES == 2, np.float16(np.inf), HALVES)), GOOD, [1, 2, 3], "infinite"),
    "two rows": (npy(PLAIN * [[np.nan], [1], [np.inf]]), GOOD, [1, 3], "is not a number"),
    "ids in UTF-16": (npy(PLAIN), GOOD.decode().encode("utf-16"), [0], "UTF-16"),
    "an id that is missing": (npy(PLAIN), b"d1\nd2\n", [0], "2 ids for 3 vectors"),
    "an empty id": (npy(PLAIN), b"d1\n\nd3\n", [2], "the id is empty"),
    "ids twice": (npy(PLAIN), b"d1\nd1\nd1\n", [2, 3], "stands in row 1 already"),
    "an id with a blank": (npy(PLAIN), b"d1\nd 2\nd3\n", [2], "'d 2'"),
    "nothing": (npy(PLAIN), b"", [], "empty"),
    "vectors as ids": (npy(PLAIN), npy(PLAIN), [1, 2], "UTF-8"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_by_the_page_are_refused_by_row_and_leave_nothing(name: str) -> None:
    people = make_people()
    some = made_vectors(people.collection, n_documents=3, dim=4)
    content, ids, places, word = HOSTILE[name]
    files = {"file": SimpleUploadedFile("docs.npy", content), "ids": SimpleUploadedFile("docs.ids.txt", ids)}
    client = people.client("researcher")
    answer = client.post(PAGE, entered(some, similarity="cosine", format="", **files))
    work()
    record = Import.objects.first()
    if record is None:
        assert (answer.status_code, word in answer.text) == (422, True), answer.text
    else:
        assert record.state == Import.State.REFUSED, record.problems
        assert [each["line"] or 0 for each in record.problems] == places, record.problems
        assert word in record.problems[0]["reason"], record.problems
        assert record.problems[0]["file"] in ("docs.npy", "docs.ids.txt")
        shown = client.get(f"/c/bees/imports/{record.pk}/").text
        assert html.escape(record.problems[0]["reason"]) in shown
    assert not VectorSet.objects.exists()


def test_a_file_without_a_row_is_refused_by_api_and_command(tmp_path: Path) -> None:
    collection = make_people().collection
    some = made_vectors(collection, n_documents=3)
    record = bring(collection, "documents", some.document[:0], [])
    reason = "there is no vector in this file"
    queries, documents = some.write(tmp_path)
    documents.write_bytes(npy(some.document[:0]))
    documents.with_name("docs.ids.txt").write_text("")
    for words in (("search_vectors", str(queries), str(documents)), ("describe_vectors", str(documents))):
        ended = ran(*words)
        assert (ended.code, reason in ended.err) == (1, True)
    assert [each["reason"] for each in record.problems] == [reason]


@pytest.mark.parametrize(("choice", "n_rows", "n_unknown"), [("skip", 2, 0), ("keep", 3, 1)])
def test_unknown_ids_are_left_aside_or_kept_and_texts_without_a_vector_are_counted(
    choice: str, n_rows: int, n_unknown: int
) -> None:
    collection = make_people().collection
    some = made_vectors(collection)
    record = bring(collection, "queries", some.query, ["1", "9", "3"], unknown=choice)
    stored = VectorSet.objects.get()
    assert (stored.n_rows, stored.n_unknown, stored.n_missing) == (n_rows, n_unknown, 1)
    assert any("1 topic of the collection without a vector" in note for note in record.preview["notes"])
    assert [each["line"] for each in record.preview.get("aside", [])] == ([2] if choice == "skip" else [])


@pytest.mark.both("imports")
def test_the_same_again_changes_nothing_and_others_under_the_name_are_refused() -> None:
    collection = make_people().collection
    some = made_vectors(collection)
    bring_both(collection, some)
    again = bring(collection, "queries", some.query, some.numbers)
    assert again.state == Import.State.PUBLISHED
    assert "already here, unchanged" in again.preview["notes"][0]
    other = bring(collection, "queries", some.query * 2, some.numbers)
    assert "already has other vectors of the queries of mine" in other.problems[0]["reason"]
    assert VectorSet.objects.count() == 2


def test_ids_are_asked_for_where_the_form_has_none() -> None:
    people = make_people()
    some = made_vectors(people.collection)
    answers = entered(some)
    del answers["ids"]
    people.client("admin").post(PAGE, answers)
    work()
    [problem] = Import.objects.get().problems
    assert (problem["file"], "send a file with an id a line" in problem["reason"]) == ("docs.f32.npy", True)


@pytest.mark.both("imports")
def test_lines_of_jsonl_are_named_and_half_numbers_come_as_they_are(tmp_path: Path) -> None:
    collection = make_people().collection
    made_vectors(collection)
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
