"""Vectors of a collection in BEIR's form: nDCG@10 as BEIR prints it, and MTEB's own main score.

MTEB is installed by `make mteb` in an environment of its own; its test is skipped without.
"""

import json
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from tests.commands import ran
from tests.evaluation.beir_collection import Side, write_collection

ROOT = Path(__file__).resolve().parents[3]
MTEB = Path(os.environ.get("TOUCHSTONE_MTEB", ROOT / ".venv-mteb" / "bin" / "python"))
OURS = {"ndcg_at_10": "nDCG@10", "map_at_100": "AP@100", "recall_at_10": "R@10", "mrr_at_10": "RR@10"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("beir")


@pytest.fixture(scope="module")
def collection(folder: Path) -> tuple[Side, Side, dict[str, dict[str, int]]]:
    return write_collection(folder)


@pytest.fixture(scope="module")
def means(folder: Path, collection: object) -> dict[str, float]:
    """By the commands, as a person would; BEIR and MTEB leave out a document with the id of its query."""
    run, qrels = str(folder / "dense.run"), str(folder / "qrels" / "test.tsv")
    vectors = [str(folder / f"{side}.npy") for side in ("queries", "docs")]
    assert ran("search_vectors", *vectors, "--exclude-self", "--k", "1000", "-o", run).code == 0
    measures = [word for name in OURS.values() for word in ("-m", name)]
    mean: dict[str, float] = ran("evaluate", qrels, run, *measures, "--json").facts[0]["mean"]
    return mean


def cosines(collection: tuple[Side, Side, dict[str, dict[str, int]]]) -> dict[str, dict[str, float]]:
    """Of every query with every other text, as BEIR's exact search leaves them."""
    queries, documents, _ = collection
    left, right = (
        side.vector / np.linalg.norm(side.vector, axis=1, keepdims=True).astype(float) for side in (queries, documents)
    )
    return {
        number: {name: float(one) for name, one in zip(documents.names, row, strict=True) if name != number}
        for number, row in zip(queries.names, left @ right.T, strict=True)
    }


def test_ndcg_as_beir_prints_it(
    collection: tuple[Side, Side, dict[str, dict[str, int]]], means: dict[str, float]
) -> None:
    """BEIR prints round(mean of trec_eval's ndcg_cut_10 over the queries of the run, 5): by pytrec_eval, and by hand:
    Σ grade / log2(rank + 1) over the first 10, over the same of the grades in descending order."""
    scores, grades = cosines(collection), collection[2]
    evaluator = pytrec_eval.RelevanceEvaluator(grades, {"ndcg_cut.10"})
    printed = [one["ndcg_cut_10"] for one in evaluator.evaluate(scores).values()]
    by_hand = []
    for number, row in scores.items():
        order = sorted(row, key=lambda name: -row[name])[:10]
        best = sorted(grades[number].values(), reverse=True)[:10]
        gains = [[grades[number].get(name, 0) for name in order], best]
        actual, ideal = (sum(g / math.log2(rank + 1) for rank, g in enumerate(side, 1)) for side in gains)
        by_hand.append(actual / ideal)
    assert round(means["nDCG@10"], 5) == round(sum(printed) / len(printed), 5) == round(float(np.mean(by_hand)), 5)
    assert 0.1 < means["nDCG@10"] < 0.9


@pytest.mark.slow
@pytest.mark.skipif(not MTEB.exists(), reason="MTEB is not installed: make mteb")
def test_the_main_score_of_mteb(folder: Path, means: dict[str, float]) -> None:
    words = [str(MTEB), "benchmarks/peers/by_mteb.py", str(folder)]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(words, cwd=ROOT, env=offline, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    theirs = json.loads(done.stdout.splitlines()[-1])
    assert theirs["main_score"] == theirs["ndcg_at_10"] == round(means["nDCG@10"], 5)
    assert {name: theirs[name] for name in OURS} == pytest.approx(
        {name: means[ours] for name, ours in OURS.items()}, abs=6e-6
    )
