"""Fusion: parity with ranx, and what must hold whatever the runs are."""

import random
import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from evaluation.engine.fusion import METHODS
from evaluation.engine.fusion.fuse import fuse, method_named
from evaluation.engine.fusion.method import Method
from evaluation.engine.run import PackedRun
from tests.evaluation.engine.fusion.made import made_runs
from tests.evaluation.engine.made import Scores, made_run, random_case

# Of ranx 0.3.21 on numpy 2.4.6: python -m benchmarks.expected.fused_by_ranx
EXPECTED = Path(__file__).parent / "fused_by_ranx.tsv"
NAMES = {
    "rrf60": ("rrf", {"k": 60}),
    "rrf5": ("rrf", {"k": 5}),
    "isr": ("isr", {}),
    "bordafuse": ("borda", {}),
    "sum": ("comb_sum", {}),
    "mnz": ("comb_mnz", {}),
}
NORMS = {"": None, "min-max": "min-max", "zmuv": "z-score", "rank": "rank"}
ALL = [
    *(method_named(name, {}) for name in METHODS),
    *(method_named("comb_sum", {"normalisation": norm}) for norm in ("z-score", "rank", "none")),
]


def fused(runs: list[PackedRun], method: Method, depth: int = 1000) -> dict[str, dict[str, float]]:
    return scores_of(fuse(runs, method, tag="fused", depth=depth).packed)


def scores_of(run: PackedRun) -> dict[str, dict[str, float]]:
    """In evaluated order."""
    bounds = zip(run.numbers, run.start[:-1].tolist(), run.start[1:].tolist(), strict=True)
    docnos = list(run.docno)
    return {number: dict(zip(docnos[a:b], run.score[a:b].tolist(), strict=True)) for number, a, b in bounds}


def packed(*runs: Scores) -> list[PackedRun]:
    return [made_run(scores, f"run{n}") for n, scores in enumerate(runs)]


def expected() -> dict[tuple[str, str], dict[str, dict[str, float]]]:
    values: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    for line in EXPECTED.read_text("utf-8").splitlines():
        method, norm, number, docno, score = line.split("\t")
        values.setdefault((method, norm), {}).setdefault(number, {})[docno] = float(score)
    return values


@pytest.mark.parametrize(("name", "norm"), sorted(expected()))
def test_scores_are_those_of_ranx(name: str, norm: str) -> None:
    method, parameters = NAMES[name]
    mine = fused(packed(*made_runs().values()), method_named(method, {**parameters, "normalisation": NORMS[norm]}))
    theirs = expected()[name, norm]
    assert {number: set(documents) for number, documents in mine.items()} == {n: set(d) for n, d in theirs.items()}
    for number, documents in theirs.items():
        assert mine[number] == pytest.approx(documents, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("method", ALL, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_runs_changes_no_bit(method: Method, seed: int) -> None:
    """Runs with many ties, topics and documents that some of them lack."""
    runs = packed(*(random_case(3 * seed + n)[1] for n in range(3)))
    results = [fused(list(order), method) for order in permutations(runs)]
    assert all(one == results[0] for one in results)
    assert [list(one.items()) for one in results[0].values()] == [list(o.items()) for o in results[-1].values()]


@pytest.mark.parametrize("method", ALL, ids=str)
def test_two_equal_runs_keep_their_order(method: Method) -> None:
    scores = {"1": {"a": 3.0, "b": 2.0, "c": 0.5}, "2": {"d": 1.0, "e": -1.0}}
    both = fused(packed(scores, scores), method)
    assert {number: list(documents) for number, documents in both.items()} == {"1": ["a", "b", "c"], "2": ["d", "e"]}


def test_a_topic_or_document_that_a_run_lacks() -> None:
    one, two = {"1": {"a": 9.0, "b": 8.0}}, {"1": {"b": 1.0}, "2": {"c": 1.0}}
    assert fused(packed(one, two), method_named("rrf", {"k": 1})) == {
        "1": {"b": 1 / 2 + 1 / 3, "a": 1 / 2},
        "2": {"c": 1 / 2},
    }
    # Borda, topic 1: two candidates. Run one gives a 2 and b 1; run two gives b 2, and a the 1 that remains.
    # Topic 2: one candidate; run two gives it 1, and run one, which lacks the topic, its only point: 1.
    assert fused(packed(one, two), method_named("borda", {})) == {"1": {"b": 3.0, "a": 3.0}, "2": {"c": 2.0}}


def test_a_list_without_a_range_counts_zero() -> None:
    one, two = {"1": {"a": 5.0}, "2": {"a": 5.0, "b": 5.0}}, {"1": {"b": 2.0, "a": 1.0}, "2": {"c": 0.1}}
    for norm in ("min-max", "z-score"):
        result = fused(packed(one, two), method_named("comb_sum", {"normalisation": norm}))
        assert result["2"] == {"c": 0.0, "b": 0.0, "a": 0.0}  # equal scores: docno descending
        assert list(result["1"]) == ["b", "a"]
    third = {"1": {"a": 0.1, "b": 0.1, "c": 0.1}}  # whose mean is not 0.1 to the last bit
    assert fused(packed(third, third), method_named("comb_sum", {"normalisation": "z-score"}))["1"]["a"] == 0.0


def test_ties_are_ordered_as_everywhere_and_remember_it() -> None:
    run = fuse(packed({"1": {"a": 1.0, "b": 1.0}}, {"1": {"c": 1.0}}), method_named("rrf", {}), tag="t").packed
    assert list(run.docno) == ["c", "b", "a"]  # a stands below b in the first run: docno descending
    assert (run.tag, run.n_tied) == ("t", 2)


def test_the_depth_keeps_the_first_of_every_topic() -> None:
    runs = packed(*made_runs().values())
    deep, flat = fused(runs, method_named("rrf", {})), fused(runs, method_named("rrf", {}), depth=3)
    assert flat == {number: dict(list(documents.items())[:3]) for number, documents in deep.items()}


@pytest.mark.parametrize(
    ("name", "parameters", "reason"),
    [
        ("rff", {}, "a method of fusion is one of rrf, comb_sum, comb_mnz, isr, borda, not 'rff'"),
        ("isr", {"k": 3}, "ISR has no parameter k"),
        ("rrf", {"k": -1}, "k of RRF is from 0 to 1,000,000, not -1"),
        ("comb_sum", {"normalisation": "max"}, "a normalisation is one of min-max, z-score, rank, none, not 'max'"),
    ],
)
def test_methods_and_parameters_that_there_are_not(name: str, parameters: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        method_named(name, parameters)


def test_what_cannot_be_fused() -> None:
    with pytest.raises(ValueError, match="two runs"):
        fuse(packed({"1": {"a": 1.0}}), method_named("rrf", {}), tag="t")
    huge = packed({"1": {"a": 1e308, "b": -1e308}}, {"1": {"a": 1e308}})
    with pytest.raises(ValueError, match="not finite"):
        fuse(huge, method_named("comb_sum", {"normalisation": "none"}), tag="t")
    with pytest.raises(ValueError, match="at least 1"):
        fuse(huge, method_named("rrf", {}), tag="t", depth=0)


def test_a_plain_reading_of_the_definitions_gives_the_same() -> None:
    """RRF by dictionaries, over runs drawn at random, ties included."""
    rng = random.Random(5)
    for seed in range(20):
        runs = packed(*(random_case(100 + 2 * seed + n)[1] for n in range(2)))
        k = rng.randrange(100)
        plain: dict[str, dict[str, float]] = {}
        for run in runs:
            for number, documents in scores_of(run).items():
                for rank, docno in enumerate(documents, 1):
                    at = plain.setdefault(number, {})
                    at[docno] = at.get(docno, 0.0) + 1 / (k + rank)
        mine = fused(runs, method_named("rrf", {"k": k}))
        assert {n: pytest.approx(d) for n, d in plain.items()} == mine
        assert all(np.diff(list(documents.values())).max(initial=-1) <= 0 for documents in mine.values())
