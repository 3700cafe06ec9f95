"""Runs in a bundle: the same file, the same values."""

import random

import pytest

from annotation.kernel.store import path_of, put, stored_files
from annotation.models import Collection, Snapshot
from evaluation.engine.run import load_run
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Evaluation, Run
from evaluation.runs.steps.bundle_part import RunRow, fault_of
from tests.annotation.exchange.steps.bundle_work import copy_of, make_full
from tests.annotation.exchange.steps.import_work import work
from tests.factories import make_collection, make_run

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


def row_of(run: Run) -> RunRow:
    return RunRow(**{name: getattr(run, name) for name in RunRow.__dataclass_fields__})


def evaluated(collection: Collection) -> list[tuple[object, ...]]:
    """The hashes of the values of each run against each snapshot."""
    for snapshot in Snapshot.objects.filter(collection=collection):
        runs = Run.objects.filter(collection=collection)
        ask_evaluation(snapshot, runs, averaging="complete", measures=[], created_by=None)
    assert set(work()) == {"done"}
    evaluations = Evaluation.objects.filter(run__collection=collection).order_by("snapshot__name", "run__tag")
    return list(evaluations.values_list("snapshot__name", "run__tag", "sha256", "means"))


def test_what_is_brought_evaluates_to_the_same_values() -> None:
    collection = make_full().collection
    before = evaluated(collection)
    assert len(before) == 3
    assert evaluated(copy_of(collection)) == before


def test_what_a_run_was_made_from_goes_along() -> None:
    collection = make_full().collection
    run = Run.objects.filter(collection=collection).order_by("tag")[0]
    origin = {"kind": "fused", "runs": ["one", "two"], "method": "rrf", "k": 60}
    Run.objects.filter(pk=run.pk).update(origin=origin)
    assert Run.objects.get(collection=copy_of(collection), tag=run.tag).origin == origin


@pytest.mark.parametrize("seed", range(5))
def test_a_run_packs_anew_to_its_own_bytes_however_its_lines_stood(seed: int) -> None:
    draw = random.Random(seed)
    rows = [(t, d, draw.choice([0.5, 1.0, 2.25, -3.0])) for t in ("7", "#8", "10") for d in range(30)]
    draw.shuffle(rows)
    lines = "".join(f" {t} Q0 d{d} 0 {score} mine\n" for t, d, score in rows)
    assert fault_of(row_of(make_run(make_collection(), lines)), stored_files()) == ""


def test_a_run_whose_index_was_tampered_with_is_refused() -> None:
    """The last two arrays of the file: what finds a document, and where tied rows stood."""
    run = make_run(make_collection(), "1 Q0 d1 1 3 a\n1 Q0 d2 2 3 a\n1 Q0 d3 3 1 a\n")
    data = path_of(run.sha256).read_bytes()
    faults = set()
    for at in range(len(data) - 128, len(data), 3):
        run.sha256 = put(data[:at] + bytes([data[at] ^ 0x11]) + data[at + 1 :])
        faults.add(fault_of(row_of(run), stored_files()) != "")
    assert faults == {True}


def test_another_tag_in_the_file_is_refused() -> None:
    run = make_run(make_collection(), "1 Q0 d1 1 3 a\n")
    packed = load_run(path_of(run.sha256))
    assert (packed.tag, fault_of(row_of(run), stored_files())) == ("a", "")
    run.tag = "b"
    assert fault_of(row_of(run), stored_files()) == "its file says other counts or another tag"
