import subprocess
import sys
from typing import Literal

import numpy as np
import pytest

from evaluation.engine.lookup import match
from evaluation.engine.measures import DEFAULT_MEASURES, MEASURES, parse_measure
from evaluation.engine.options import Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.scorer import MeasureValues, evaluate, sequential_sum
from tests.evaluation.engine.made import made_qrels, made_run, random_case

GRADES = {"1": {"a": 3, "b": 0, "c": 1, "n": -1}, "2": {"a": 0}, "3": {"a": -1}, "4": {"a": 2}}
SCORES = {"1": {"u": 9.0, "a": 8.0, "n": 7.0, "b": 7.0, "v": 1.0}, "2": {"a": 1.0}, "3": {"b": 1.0}, "5": {"a": 1.0}}


def values(name: str, **options: str) -> MeasureValues:
    return evaluate(made_run(SCORES), made_qrels(GRADES), [parse_measure(name)], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("RR", 1 / 2),
        ("RR@1", 0),
        ("AP", 1 / 2 / 2),
        ("AP(rel=2)", 1 / 2),
        ("P@10", 1 / 10),
        ("R@2", 1 / 2),
        ("R@1", 0),
        ("bpref", 1 / 2),
        ("nDCG", (3 / np.log2(3)) / (3 + 1 / np.log2(3))),
        ("nDCG@1", 0),
        ("nDCG(gains='exp')@2", (7 / np.log2(3)) / (7 + 1 / np.log2(3))),
        ("Judged@10", 2 / 5),
        ("Judged@2", 1 / 2),
    ],
)
def test_values_by_hand(name: str, first: float) -> None:
    """Topic 1 ranks u, a, n, b, v (n before b: their scores are equal); of a 3, b 0, c 1, n −1 are known."""
    assert values(name).value[0, 0] == pytest.approx(first, abs=1e-15)


def test_who_is_missing_is_named_and_counts_zero() -> None:
    evaluation = values("RR")
    assert evaluation.numbers == ("1", "2", "3", "4")
    assert evaluation.value[:, 0].tolist() == [0.5, 0, 0, 0]
    assert evaluation.mean.tolist() == [0.125]
    assert (evaluation.missing, evaluation.without_relevant, evaluation.unknown) == (("4",), ("2", "3"), ("5",))


@pytest.mark.parametrize("ties", ["docno", "averaged"])
def test_a_piece_of_the_topics_has_the_values_of_the_whole(
    ties: Literal["docno", "averaged"], monkeypatch: pytest.MonkeyPatch
) -> None:
    instances = (
        family(cutoff=5 if family.cut_is == "rank" else 0.5) if family.cut == "must" else family()
        for family in MEASURES
    )
    measures = [measure for measure in instances if ties == "docno" or measure.averages_ties]
    for seed in range(4):
        grades, scores = random_case(seed)
        run, qrels, options = made_run(scores), made_qrels(grades), Options(ties=ties)
        whole = evaluate(run, qrels, measures, options=options).value
        for size in (1, 7, 40):
            monkeypatch.setattr("evaluation.engine.scorer.PIECE", size)
            assert np.array_equal(evaluate(run, qrels, measures, options=options).value, whole, equal_nan=True)
        monkeypatch.undo()


def test_only_topics_in_both() -> None:
    evaluation = values("RR", averaging="retrieved")
    assert evaluation.numbers == ("1", "2", "3")
    assert evaluation.mean.tolist() == [0.5 / 3]
    assert (evaluation.missing, evaluation.without_relevant, evaluation.unknown) == (("4",), ("2", "3"), ("5",))


def test_a_missing_topic_has_retrieved_nothing_and_is_not_named_twice() -> None:
    run, qrels = made_run({"1": {"a": 1.0, "u": 0.5}}), made_qrels({"0": {"a": 0}, "1": {"a": 0}})
    assert match(run, qrels).n_retrieved.tolist() == [0, 2]
    evaluation = evaluate(run, qrels, [parse_measure("AP")], averaging="retrieved")
    assert (evaluation.missing, evaluation.without_relevant) == (("0",), ("1",))


def test_means_are_added_one_after_the_other() -> None:
    """For one measure numpy's own sum would add in pairs, and differ in the last digits."""
    value = np.random.default_rng(3).random(1000)
    total = 0.0
    for number in value.tolist():
        total += number
    assert sequential_sum(value) == total
    assert value.sum() != total


def test_judged_rows_whose_place_the_docno_decided_are_counted() -> None:
    evaluation = values("RR")
    assert evaluation.n_judged_rows == 3  # a, b and topic 2's a
    assert evaluation.n_tied_judged_rows == 1  # b shares its score with n


def test_no_topic_in_common() -> None:
    run, measures = made_run({"9": {"a": 1.0}}), [parse_measure("AP")]
    assert evaluate(run, made_qrels(GRADES), measures).mean.tolist() == [0.0]
    with pytest.raises(ValueError, match="has none of the 4 topics"):
        evaluate(run, made_qrels(GRADES), measures, averaging="retrieved")


def test_qrels_without_any_found_row() -> None:
    evaluation = evaluate(made_run({"1": {"z": 1.0}}), made_qrels(GRADES), [*map(parse_measure, DEFAULT_MEASURES)])
    assert evaluation.value.tolist() == [[0.0] * len(DEFAULT_MEASURES)] * 4


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"averaging": "all"}, "averaging is 'complete' or 'retrieved'"), ({"device": "tpu9"}, "no device 'tpu9'")],
)
def test_options_that_make_no_sense(options: dict[str, str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        values("AP", **options)


def test_nothing_to_evaluate() -> None:
    with pytest.raises(ValueError, match="no measures"):
        evaluate(made_run(SCORES), made_qrels(GRADES), [])
    with pytest.raises(ValueError, match="no judged pair"):
        Qrels.of([], [], [])
    with pytest.raises(ValueError, match="columns of 1, 2 and 1 rows"):
        Qrels.of(["1"], ["a", "b"], [1])


def test_a_small_job_pays_neither_torch_nor_polars() -> None:
    program = """
import io, sys
from annotation.formats.problems import Problems
from annotation.formats.qrels import parse_qrels
from evaluation.engine.lookup import match
from evaluation.engine.measures import DEFAULT_MEASURES, MEASURES, parse_measure
from evaluation.engine.options import Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import load_run, pack_run
from evaluation.engine.scorer import evaluate
from evaluation.formats.run import parse_run
table = parse_qrels(io.BytesIO(b"1 0 a 1\\n"), Problems("q"))
run = load_run(pack_run(parse_run(io.BytesIO(b"1 Q0 a 1 1 t\\n"), Problems("r"))))
found = evaluate(run, Qrels.of(table.number, table.docno, table.grade), [*map(parse_measure, DEFAULT_MEASURES)])
print(found.mean[0], sorted({"torch", "polars", "scipy", "django"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("1.0 []\n", "")
