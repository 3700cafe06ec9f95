"""Runs against a snapshot, through the job: the stored values are the engine's, and trec_eval's."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from annotation.kernel.jobs import claim_job, run_job
from annotation.kernel.store import path_of, put
from annotation.models import Collection, Job, Snapshot
from evaluation.engine.measures import DEFAULT_MEASURES
from evaluation.engine.packed import PackedError
from evaluation.engine.scorer import Averaging
from evaluation.engine.significance.intervals.score import score_interval
from evaluation.engine.values import load_values, pack_values
from evaluation.leaderboard.read.board import leaderboard_of
from evaluation.leaderboard.read.evaluations import CONFIDENCE, MEANS_FORM, means_at, values_of
from evaluation.leaderboard.steps.evaluating import ask_evaluation, canonical_measures
from evaluation.models import Evaluation, Run
from tests.factories import make_collection, make_run, make_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.both("jobs")]

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n3 0 d 0\n"
RUN = "1 Q0 b 1 3 one\n1 Q0 a 2 2 one\n1 Q0 c 3 2 one\n2 Q0 x 1 1 one\n"


def work() -> Job:
    claimed = claim_job()
    assert claimed is not None
    return run_job(claimed)


def test_values_means_and_intervals_are_stored() -> None:
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(collection, RUN)
    ask_evaluation(snapshot, [run], averaging="complete", measures=["P@2"], created_by=None)
    job = work()
    assert (job.state, job.error, job.done, job.total) == ("done", "", 1, 1)
    stored = Evaluation.objects.get()
    values = values_of(stored)
    assert values.numbers == ("1", "2", "3")
    assert values.missing == ("3",)
    assert values.without_relevant == ("3",)
    assert values.without_nonrelevant == ("2",)
    # topic 1: scores 3, 2, 2; the tie goes to the greater docno: b (0), c (1), a (2)
    assert values.value[0][values.measures.index("RR")] == 1 / 2
    assert values.value[0][values.measures.index("AP")] == (1 / 2 + 2 / 3) / 2
    assert values.value[0][values.measures.index("P@2")] == 1 / 2
    assert stored.means["RR"]["mean"] == 1 / 2 / 3
    interval = score_interval(np.array([1 / 2, 0.0, 0.0]), (0.0, 1.0))
    assert (stored.means["RR"]["low"], stored.means["RR"]["high"]) == (interval.low, interval.high)
    assert (stored.n_topics, stored.n_missing, stored.measures) == (3, 1, [*DEFAULT_MEASURES, "P@2"])


def test_ends_that_were_stored_of_an_older_form_are_not_shown() -> None:
    """They follow from the file of values, as those of other confidences do."""
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(collection, RUN)
    ask_evaluation(snapshot, [run], averaging="complete", measures=[], created_by=None)
    work()
    means = Evaluation.objects.get().means
    cells = leaderboard_of(snapshot, averaging="complete").rows[0].cells
    by_t = {name: {**mean, "low": 0.0, "high": 0.9} for name, mean in means.items()}
    Evaluation.objects.update(means=by_t, means_form=MEANS_FORM - 1)
    assert means_at(Evaluation.objects.get(), CONFIDENCE) == means
    assert leaderboard_of(snapshot, averaging="complete").rows[0].cells == cells
    ask_evaluation(snapshot, [run], averaging="complete", measures=[], created_by=None)
    work()
    assert (Evaluation.objects.get().means, Evaluation.objects.get().means_form) == (means, MEANS_FORM)


def test_only_means_have_an_interval() -> None:
    """A geometric mean or a sum is not the middle of an interval of the mean."""
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(collection, RUN)
    ask_evaluation(snapshot, [run], averaging="complete", measures=["GMAP", "NumRet", "DCG"], created_by=None)
    work()
    means = Evaluation.objects.get().means
    assert means["GMAP"] == {"mean": pytest.approx((7 / 12 * 1e-5 * 1e-5) ** (1 / 3)), "low": None, "high": None}
    assert means["NumRet"] == {"mean": 4.0, "low": None, "high": None}
    assert means["DCG"]["low"] < means["DCG"]["mean"] < means["DCG"]["high"]


def test_evaluating_again_replaces_and_gives_the_same_file() -> None:
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(collection, RUN)
    hashes = []
    for _ in range(2):
        ask_evaluation(snapshot, [run], averaging="complete", measures=[], created_by=None)
        work()
        hashes.append(Evaluation.objects.get().sha256)
    assert hashes[0] == hashes[1]


def test_only_topics_of_the_run() -> None:
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(collection, RUN)
    ask_evaluation(snapshot, [run], averaging="retrieved", measures=[], created_by=None)
    work()
    stored = Evaluation.objects.get()
    assert (stored.n_topics, stored.n_missing) == (2, 1)
    assert stored.means["RR"]["mean"] == 1 / 4


def test_a_run_without_any_topic_of_the_snapshot_is_refused_in_words() -> None:
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(collection, "9 Q0 a 1 1 other\n")
    ask_evaluation(snapshot, [run], averaging="retrieved", measures=[], created_by=None)
    job = work()
    assert (job.state, job.error) == ("failed", "run 'other' has none of the 3 topics of the qrels")
    assert not Evaluation.objects.exists()


def test_what_the_engine_refuses_ends_the_job_with_its_reason() -> None:
    """At the first attempt: to try again would not help."""
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS + "3 0 e 201\n"), make_run(collection, RUN)
    ask_evaluation(snapshot, [run], averaging="complete", measures=["nDCG(gains='exp')@10"], created_by=None)
    job = work()
    reason = "the grade 201 is too great for gains of 2^grade − 1: at most 200"
    assert (job.state, job.error, job.attempt) == ("failed", reason, 1)
    assert not Evaluation.objects.exists()


def test_a_measure_that_is_no_more_ends_the_job_with_its_reason() -> None:
    """A job may wait while the app is renewed."""
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(collection, RUN)
    waiting = ask_evaluation(snapshot, [run], averaging="complete", measures=[], created_by=None)
    waiting.payload["measures"].append("nDGC@10")
    waiting.save(update_fields=["payload"])
    job = work()
    assert (job.state, job.error.partition(";")[0]) == ("failed", "no measure 'nDGC@10'")


def test_a_grade_above_the_scale_of_the_snapshot_is_the_top_grade() -> None:
    """The engine refuses a scale that ends below the grades of the qrels."""
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS + "3 0 e 7\n"), make_run(collection, RUN)
    snapshot.scale = collection.scale
    snapshot.save(update_fields=["scale"])
    ask_evaluation(snapshot, [run], averaging="complete", measures=["ERR@10"], created_by=None)
    assert work().state == "done"
    assert values_of(Evaluation.objects.get()).top_grade == 7


def test_a_run_stored_in_another_form_is_refused_in_words() -> None:
    """By an older version, say: its values would be wrong."""
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(collection, RUN)
    data = path_of(run.sha256).read_bytes()
    Run.objects.update(sha256=put(data.replace(b"touchstone run ", b"touchstone old ", 1)))
    ask_evaluation(snapshot, [run], averaging="complete", measures=[], created_by=None)
    job = work()
    assert (job.state, Evaluation.objects.count()) == ("failed", 0)
    assert job.error.startswith("run 'one': not a file of the kind 'touchstone run ")
    assert job.error.endswith("; import it again")


@pytest.mark.parametrize("state", ["damaged", "missing"])
@pytest.mark.parametrize("which", ["run", "qrels"])
def test_no_value_comes_from_a_damaged_or_missing_file(which: str, state: str) -> None:
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(collection, RUN)
    sha = run.sha256 if which == "run" else snapshot.qrels_sha256
    file = path_of(sha)
    data = bytearray(file.read_bytes())
    data[-2] ^= 1
    file.unlink()
    if state == "damaged":
        file.write_bytes(data)
    ask_evaluation(snapshot, [run], averaging="complete", measures=[], created_by=None)
    job = work()
    assert (job.state, job.attempt, f"the stored file {sha} is {state}" in job.error) == ("failed", 1, True)
    assert job.error.startswith("run 'one': ") == (which == "run")
    assert not Evaluation.objects.exists()


def test_no_runs_foreign_runs_and_unknown_measures_are_refused() -> None:
    collection, other = make_collection(), make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(other, RUN)
    with pytest.raises(ValueError, match="at least one run"):
        ask_evaluation(snapshot, [], averaging="complete", measures=[], created_by=None)
    with pytest.raises(ValueError, match="different collections"):
        ask_evaluation(snapshot, [run], averaging="complete", measures=[], created_by=None)
    with pytest.raises(ValueError, match="nDGC"):
        ask_evaluation(snapshot, [make_run(collection, RUN)], averaging="complete", measures=["nDGC"], created_by=None)
    assert not Job.objects.exists()


def test_a_file_of_values_that_is_something_else_is_refused() -> None:
    with pytest.raises(PackedError):
        load_values(b"not values")


def test_packing_values_gives_them_back() -> None:
    collection = make_collection()
    snapshot, run = make_snapshot(collection, QRELS), make_run(collection, RUN)
    ask_evaluation(snapshot, [run], averaging="complete", measures=[], created_by=None)
    work()
    data = path_of(Evaluation.objects.get().sha256).read_bytes()
    assert pack_values(load_values(data)) == data


TREC_EVAL = {
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "AP": "map",
    "RR": "recip_rank",
    "P@10": "P_10",
    "R@100": "recall_100",
    "R@1000": "recall_1000",
    "bpref": "bpref",
}


@pytest.mark.alike("runs and qrels are files")
@pytest.mark.shared
@pytest.mark.parametrize(
    ("folder", "qrels"), [("cranfield", "qrels.graded.txt"), ("robust03", "qrels.robust03.txt.gz")]
)
def test_every_figure_of_trec_eval_through_the_app(shared_data: Path, folder: str, qrels: str) -> None:
    """All runs of the folder against its qrels as a snapshot, in both averages: equal at four decimals.

    The expected figures are trec_eval 10.0's (summary.tsv, per_query.tsv.gz beside the runs).
    """
    collection = make_collection()
    snapshot = _snapshot_of(collection, shared_data / folder / qrels)
    names = {path.name.removesuffix(".run.gz"): path for path in (shared_data / folder / "runs").glob("*.run.gz")}
    runs = {make_run(collection, gzip.decompress(path.read_bytes()).decode()): name for name, path in names.items()}
    modes: list[Averaging] = ["complete", "retrieved"]
    for averaging in modes:
        ask_evaluation(snapshot, runs, averaging=averaging, measures=[], created_by=None)
        assert work().state == "done"
    wanted = _expected_means(shared_data / folder / "expected" / "summary.tsv", qrels)
    values = {
        (runs[each.run], each.averaging, name): f"{each.means[ours]['mean']:.4f}"
        for each in Evaluation.objects.select_related("run")
        for ours, name in TREC_EVAL.items()
    }
    assert len(values) == len(runs) * 2 * len(TREC_EVAL)
    assert values == {key: wanted[key] for key in values}
    _compare_topics(shared_data / folder / "expected" / "per_query.tsv.gz", qrels, runs)


def _snapshot_of(collection: Collection, path: Path) -> Snapshot:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    return Snapshot.objects.create(
        collection=collection,
        name=path.name,
        origin="imported",
        qrels_sha256=put(text),
        n_topics=1,
        n_pairs=1,
    )


def _expected_means(path: Path, qrels: str) -> dict[tuple[str, str, str], str]:
    with path.open() as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {(row["run"], row["mode"], row["measure"]): row["value"] for row in rows if row["qrels"] in qrels}


def _compare_topics(path: Path, qrels: str, runs: dict[Run, str]) -> None:
    with gzip.open(path, "rt") as file:
        rows = csv.DictReader(file, delimiter="\t")
        wanted = {(row["run"], row["query_id"], row["measure"]): row["value"] for row in rows if row["qrels"] in qrels}
    n_compared = 0
    for each in Evaluation.objects.filter(averaging="retrieved").select_related("run"):
        values = values_of(each)
        for row, number in enumerate(values.numbers):
            for ours, name in TREC_EVAL.items():
                value = values.value[row][values.measures.index(ours)]
                assert f"{value:.4f}" == wanted[runs[each.run], number, name], (each.run.tag, number, name)
                n_compared += 1
    assert n_compared == sum(key[2] in TREC_EVAL.values() for key in wanted)


def test_one_name_of_trec_eval_may_stand_for_several_measures() -> None:
    assert canonical_measures(["ndcg_cut.5,20", "map"])[len(DEFAULT_MEASURES) :] == ["nDCG@5", "nDCG@20"]
