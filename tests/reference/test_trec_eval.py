"""The same values as trec_eval.

Figures at full precision come from pytrec_eval-terrier 0.5.11 (trec_eval 9.0.8), which for these measures computes what
trec_eval 10 does. Figures at four decimals were printed by trec_eval 10.0; see the README of the shared data.
"""

import csv
import gzip
import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from annotation.formats.problems import Problems
from annotation.formats.qrels import parse_qrels
from evaluation.engine.arrays import Floats
from evaluation.engine.measures import MEASURES, BinaryMeasure, Measure, parse_measure, parse_measures
from evaluation.engine.measures.names import read_trec_eval
from evaluation.engine.options import Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun, load_run, pack_run
from evaluation.engine.scorer import Averaging, evaluate
from evaluation.formats.run import parse_run
from tests.evaluation.engine.made import made_qrels, made_run, qrels_of, random_case

CUTOFFS = (1, 3, 5, 10, 20, 100)
WHOLE = (
    "map",
    "recip_rank",
    "bpref",
    "ndcg",
    "ndcg_rel",
    "Rndcg",
    "G",
    "binG",
    "infAP",
    "Rprec",
    "11pt_avg",
    "utility",
)
SETS = ("set_P", "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret")
COUNTS = ("num_q", "num_ret", "num_rel", "num_rel_ret")
NAMES = (
    *(*COUNTS, *WHOLE, *SETS, "Rprec_mult.0.2,0.35,0.4,1,1.05,5", "iprec_at_recall", "success"),
    *(f"{family}.{','.join(map(str, CUTOFFS))}" for family in ("map_cut", "P", "recall", "ndcg_cut", "relative_P")),
)
WITH_PARAMETERS = (
    *("ndcg.1=3,2=9,4=4", "ndcg.0=1,1=3", "ndcg.1=-2,2=9", "ndcg_rel.1=3,2=9,4=4", "ndcg_rel.0=2,3=7.25"),
    *("Rndcg.1=3,2=9,4=4", "G.1=3,2=9,4=5", "G.0=1,1=6.5", "G.1=-2,2=9", "utility.2,-1,0.5,0"),
    *("11pt_avg..25,.5,.75", "set_F.0.3"),
)
GRADED = ("ndcg", "Rndcg", "G")  # the level does not touch them, save that trec_eval gives Rndcg 0 where R is 0
NINE = Options(trec_eval=9)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("judged_only", [False, True])
def test_every_double_equals_trec_eval(seed: int, level: int, judged_only: bool) -> None:
    """Ties, negative grades, topics without relevant documents and missing topics; the difference is 0.0, not small.

    trec_eval crashes on a topic that has only negative grades: it is kept from it, and 0 is expected. Of a run without
    judged documents it computes NaN (0 by 0) with -J: 0 is expected there too.
    """
    grades, scores = random_case(seed)
    names = [name for name in NAMES if level == 1 or not name.startswith(GRADED)]
    judged = {number: docs for number, docs in grades.items() if max(docs.values()) >= 0}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, names, relevance_level=level, judged_docs_only_flag=judged_only)
    theirs = evaluator.evaluate(scores)
    pairs = [pair for name in names for pair in read_trec_eval(name, MEASURES)]
    measures = [_at_level(measure, level) for _, measure in pairs]
    options = replace(NINE, judged_only=judged_only)
    ours = evaluate(made_run(scores), made_qrels(grades), measures, options=options)
    for t, number in enumerate(ours.numbers):
        expected = theirs.get(number) or _unseen(
            pairs, grades[number], {} if judged_only else scores.get(number, {}), level
        )
        mine = dict(zip([name for name, _ in pairs], ours.value[t].tolist(), strict=True))
        assert mine == {name: 0.0 if math.isnan(expected[name]) else expected[name] for name in mine}, number


@pytest.mark.parametrize("name", WITH_PARAMETERS)
def test_every_double_equals_trec_eval_with_parameters(name: str) -> None:
    """Gains of one table differ by at least 1: trec_eval does not order closer ones (docs/measures.md)."""
    [(_, measure)] = read_trec_eval(name, MEASURES)
    for seed in range(60):
        grades, scores = random_case(seed)
        judged = {number: docs for number, docs in grades.items() if max(docs.values()) >= 0}
        as_given = pytrec_eval.RelevanceEvaluator.__base__  # the wrapper takes names with parameters apart
        evaluator = as_given(judged, {name}, 1, judged_docs_only_flag=False)
        theirs = {number: sum(values.values()) for number, values in evaluator.evaluate(scores).items()}
        ours = evaluate(made_run(scores), made_qrels(grades), [measure], options=NINE)
        mine = {n: value for n, [value] in zip(ours.numbers, ours.value.tolist(), strict=True) if n in theirs}
        assert mine == {number: theirs[number] for number in mine}, seed
        assert mine or not set(judged) & set(scores)


@pytest.mark.parametrize("seed", range(0, 150, 10))
def test_torch_gives_the_same_doubles_as_numpy(seed: int) -> None:
    grades, scores = random_case(seed)
    names = (*NAMES, *WITH_PARAMETERS, "rbp", "rbp_resid", "unj", "yaap", "gm_map", "gm_bpref", "ideal_dcg")
    more = ("Judged@10", "nDCG(gains='exp')@10", "bpref(rel=2)", "AP(of='found')@5", "RBP(rel=2)@10", "SetF(beta=2)")
    measures = [measure for name in (*names, *more) for measure in parse_measures(name)]
    run, qrels = made_run(scores), made_qrels(grades)
    by_numpy, by_torch = evaluate(run, qrels, measures), evaluate(run, qrels, measures, device="cpu")
    np.testing.assert_array_equal(by_torch.value, by_numpy.value)
    np.testing.assert_array_equal(by_torch.mean, by_numpy.mean)


@pytest.mark.shared
@pytest.mark.parametrize("device", [None, "cpu"])
@pytest.mark.parametrize(
    ("folder", "qrels"), [("cranfield", "qrels.graded.txt"), ("robust03", "qrels.robust03.txt.gz")]
)
def test_every_published_figure_of_a_collection(shared_data: Path, folder: str, qrels: str, device: str | None) -> None:
    """Each topic, and the means in both modes, for every run and every measure there is here: all of them, equal."""
    expected = _expected(shared_data / folder / "expected")
    names = sorted({name for _, _, name in expected if _known(name)})
    assert {name for _, _, name in expected} - set(names) == set()
    measures = [parse_measure(name) for name in names]
    ours: dict[tuple[str, str, str], str] = {}
    for path in sorted((shared_data / folder / "runs").glob("*.run.gz")):
        for averaging in ("complete", "retrieved"):
            evaluation = evaluate(
                _run(path), _qrels(shared_data / folder / qrels), measures, averaging=averaging, device=device
            )
            ours |= _printed(path, f"mean:{averaging}", names, evaluation.mean)
        for number, value in zip(evaluation.numbers, evaluation.value, strict=True):  # of "retrieved"
            ours |= _printed(path, f"topic:{number}", names, value)
    assert {key: ours[key] for key in expected} == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("output", "run", "averaging"),
    [
        ("out.test", "results.test", "complete"),
        ("out.test.a", "results.test", "complete"),
        ("out.test.aq", "results.test", "complete"),
        ("out.test.aqc", "results.trunc", "complete"),
    ],
)
def test_trec_evals_own_tests(shared_data: Path, output: str, run: str, averaging: Averaging) -> None:
    folder = shared_data / "trec_eval"
    lines = [line.split() for line in (folder / output).read_text().splitlines()]
    known = [(name, number, value) for name, number, value in lines if _known(name)]
    names = list(dict.fromkeys(name for name, _, _ in known))
    ours = evaluate(
        _run(folder / run), _qrels(folder / "qrels.test"), [*map(parse_measure, names)], averaging=averaging
    )
    place = {number: t for t, number in enumerate(ours.numbers)}
    for name, number, value in known:
        mine = ours.mean if number == "all" else ours.value[place[number]]
        assert _written(name, mine[names.index(name)]) == value, (name, number)
    assert {name for name, _, _ in lines} - set(names) <= {"runid", "relstring"}


def _unseen(
    pairs: list[tuple[str, Measure]], grades: dict[str, int], scores: dict[str, float], level: int
) -> dict[str, float]:
    """The values of a topic that trec_eval is not shown: one that the run lacks, or of negative grades only."""
    n_relevant, n_retrieved = sum(grade >= level for grade in grades.values()), len(scores)
    facts = {"num_q": 1.0, "num_rel": float(n_relevant), "num_ret": float(n_retrieved), "utility": -float(n_retrieved)}
    return {name: facts.get(name, 0.0) for name, _ in pairs}


def _at_level(measure: Measure, level: int) -> Measure:
    return replace(measure, rel=level) if isinstance(measure, BinaryMeasure) else measure


def _known(name: str) -> bool:
    try:
        parse_measure(name)
    except ValueError:
        return False
    return True


def _printed(path: Path, where: str, names: list[str], value: Floats) -> dict[tuple[str, str, str], str]:
    tag = path.name.removesuffix(".run.gz")
    return {(tag, where, name): _written(name, v) for name, v in zip(names, value.tolist(), strict=True)}


def _written(name: str, value: float) -> str:
    return f"{value:.0f}" if name.startswith("num_") else f"{value:.4f}"


@cache
def _qrels(path: Path) -> Qrels:
    with path.open("rb") as stream:
        return qrels_of(parse_qrels(stream, Problems(path.name)))


@cache
def _run(path: Path) -> PackedRun:
    with path.open("rb") as stream:
        return load_run(pack_run(parse_run(stream, Problems(path.name))))


@cache
def _expected(folder: Path) -> dict[tuple[str, str, str], str]:
    """(run, "mean:<mode>" or "topic:<number>", trec_eval's name) → the value as printed."""
    expected = {}
    with (folder / "summary.tsv").open() as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            expected[row["run"], f"mean:{row['mode']}", row["measure"]] = row["value"]
    with gzip.open(folder / "per_query.tsv.gz", "rt") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            expected[row["run"], f"topic:{row['query_id']}", row["measure"]] = row["value"]
    return expected
