"""Runs on their way in: parsed and packed once, published as one row."""

import gzip
import io
from pathlib import Path

import pytest

from annotation.exchange.steps.importing import start_import
from annotation.kernel.jobs import claim_job, run_job
from annotation.kernel.store import path_of
from annotation.models import Collection, Import
from evaluation.engine.run import load_run
from evaluation.models import Run
from tests.factories import make_collection, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]

RUN = b"2 Q0 D1 1 3.5 mine\n1 Q0 D7 1 9 mine\n1 Q0 D9 2 9.0 mine\n1 Q0 D8 3 -1e1 mine\n"


def brought(collection: Collection, data: bytes = RUN, *, publish: bool = True, tag: str = "") -> Import:
    record = start_import(
        collection, kind="run", stream=io.BytesIO(data), filename="my.run", created_by=None, publish=publish, tag=tag
    )
    while run := claim_job():
        run_job(run)
    record.refresh_from_db()
    return record


def reasons(record: Import) -> list[tuple[int, str]]:
    return [(problem["line"], problem["reason"]) for problem in record.problems]


def test_a_run_is_packed_in_evaluated_order() -> None:
    collection, person = make_collection(), make_user()
    start_import(
        collection,
        kind="run",
        stream=io.BytesIO(gzip.compress(RUN)),
        filename="my.run.gz",
        created_by=person,
        description="The first.",
        publish=True,
    )
    while job := claim_job():
        run_job(job)
    run = Run.objects.get()
    assert (run.collection, run.tag, run.filename, run.created_by) == (collection, "mine", "my.run.gz", person)
    assert (run.description, run.n_topics, run.n_rows, run.n_tied) == ("The first.", 2, 4, 2)
    packed = load_run(path_of(run.sha256))
    assert (packed.numbers, list(packed.docno)) == (("1", "2"), ["D9", "D7", "D8", "D1"])


def test_the_preview_shows_what_would_be_stored() -> None:
    record = brought(make_collection(), publish=False)
    assert (record.state, Run.objects.count()) == ("checked", 0)
    assert record.preview["counts"] == [["Topics", 2], ["Rows", 4], ["Tied rows", 2]]
    assert record.preview["rows"][:2] == [["1", "D9", "1", "9.0"], ["1", "D7", "2", "9.0"]]


def test_a_tag_of_ones_own_replaces_that_of_the_file() -> None:
    brought(make_collection(), tag="theirs")
    run = Run.objects.get()
    assert run.tag == load_run(path_of(run.sha256)).tag == "theirs"


def test_faults_are_told_by_line_and_nothing_is_stored() -> None:
    record = brought(make_collection(), b"1 Q0 D1 1 nan mine\n1 Q0 D2 2 3\n")
    assert record.state == "refused"
    assert reasons(record) == [
        (1, "the score 'nan' is not a finite decimal number"),
        (2, "6 fields expected (topic, iteration, docno, rank, score, tag), 5 found"),
    ]
    assert Run.objects.count() == 0


def test_a_document_twice_in_a_topic_names_both_lines() -> None:
    record = brought(make_collection(), b"1 Q0 D1 1 2 mine\n1 Q0 D1 2 1 mine\n")
    assert reasons(record) == [(2, "document 'D1' is already retrieved for topic '1' in line 1")]


def test_the_same_run_again_changes_nothing_and_another_needs_another_tag() -> None:
    collection = make_collection()
    brought(collection)
    first, *others = RUN.splitlines()
    same = brought(collection, b"\n".join([*others, first]))
    other = brought(collection, b"1 Q0 D1 1 2 mine\n")
    assert (same.state, same.preview["notes"]) == ("published", ["my.run: the run mine is already here, unchanged"])
    assert reasons(other) == [(0, "the collection already has another run with the tag mine")]
    assert Run.objects.count() == 1


def test_a_tag_that_is_too_long_is_refused() -> None:
    record = brought(make_collection(), b"1 Q0 D1 1 2 " + b"m" * 101 + b"\n")
    assert reasons(record) == [(0, "the tag is 101 characters long, at most 100 are allowed")]


@pytest.mark.shared
def test_real_runs_go_in_as_they_are(shared_data: Path) -> None:
    rows_of = {}
    for name in ("cranfield", "robust03"):
        collection = make_collection()
        for file in sorted((shared_data / name / "runs").glob("*.run.gz")):
            record = brought(collection, file.read_bytes())
            assert record.state == "published", record.problems[:3]
        rows_of[name] = list(
            Run.objects.filter(collection=collection).values_list("tag", "n_topics", "n_rows", "n_tied")
        )
    assert [tag for tag, *_ in rows_of["cranfield"]] == [
        "bm25-k0.9-b0.4-stem",
        "bm25-k1.2-b0.75-stem",
        "bm25-robertson-nostem-nostop",
        "bm25-title-only",
        "dense-minilm",
        "lsa-200",
        "ql-dirichlet-mu500-porter",
        "rrf-bm25-dense",
        "tfidf-cosine",
    ]
    # rows and ties as the data's README has them
    assert sorted(rows_of["robust03"]) == [
        ("MU03rob01", 100, 100_000, 97_500),
        ("NLPR03vb10", 100, 1_004, 38),
        ("humR03dc", 100, 10_000, 0),
        ("rutcor03100", 100, 100_000, 99_967),
        ("uic0301", 100, 99_969, 0),
    ]
