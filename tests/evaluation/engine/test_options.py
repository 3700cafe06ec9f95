"""Every way of reading a run, against the same done a document at a time (`plain.py`), and against itself."""

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
import pytrec_eval

from evaluation.engine import scorer
from evaluation.engine.measures import MEASURES, Measure, parse_measure
from evaluation.engine.options import Options
from evaluation.engine.scorer import evaluate, evaluate_runs
from tests.evaluation.engine import plain
from tests.evaluation.engine.made import Grades, Scores, made_qrels, made_run, random_case

NAMES = (
    *("nDCG", "nDCG@1", "nDCG@5", "AP", "AP@5", "AP(rel=2)", "RR", "RR@3", "P@1", "P@10", "P(rel=2)@5", "R@5", "R@20"),
    *("bpref", "bpref(rel=2)", "Judged@3", "Judged@20"),
)
READINGS = (
    Options(),
    Options(ties="docno ascending"),
    Options(ties="file"),
    Options(trec_eval=9),
    *(Options(ties=ties, judged_only=True) for ties in ("docno", "docno ascending", "file")),
    *(Options(depth=depth) for depth in (1, 4, 1000)),
    Options(depth=4, judged_only=True),
    Options(depth=4, ties="file"),
    Options(depth=4, trec_eval=9, judged_only=True),
    Options(unjudged="top"),
    Options(unjudged="top", ties="file"),
    Options(unjudged="top", depth=4),
    Options(unjudged="top", max_grade=9),
    Options(unjudged="top", trec_eval=9, depth=7),
)
AVERAGED = (Options(ties="averaged"), Options(ties="averaged", depth=3), Options(ties="averaged", unjudged="top"))


def every_measure() -> list[Measure]:
    """Each family without a cutoff, and with one, where it may."""
    cutoffs: dict[str, tuple[float | None, ...]] = {"no": (None,), "may": (None, 3), "must": (1, 3), "share": (0.2, 1)}
    return [
        family(cutoff=cutoff)
        for family in MEASURES
        for cutoff in cutoffs["share" if family.cut_is == "share" else family.cut]
    ]


def shaken(seed: int) -> tuple[Grades, Scores]:
    """A random case whose scores differ here and there only beyond 32 bits, lie beyond them, or are −0."""
    rng = random.Random(seed)
    grades, scores = random_case(seed)
    moved = {n: {d: _moved(s, rng) for d, s in docs.items()} for n, docs in scores.items()}
    shuffled = {n: dict(rng.sample(sorted(docs.items()), len(docs))) for n, docs in moved.items()}
    return grades, shuffled


def _moved(score: float, rng: random.Random) -> float:
    chance = rng.random()
    if chance < 0.5:
        return score * (1 + rng.choice([-1, 1, 2]) * 1e-12)
    return rng.choice([1e300, 1e39, 1e-300, -0.0]) if chance > 0.9 else score


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("options", READINGS, ids=repr)
def test_every_reading_as_a_document_at_a_time(seed: int, options: Options) -> None:
    grades, scores = shaken(seed)
    top = options.max_grade or max(1, *(g for judged in grades.values() for g in judged.values()))
    ours = evaluate(made_run(scores), made_qrels(grades), [*map(parse_measure, NAMES)], options=options)
    for number, value in zip(ours.numbers, ours.value, strict=True):
        ranking = plain.ranked(scores.get(number, {}), grades[number], options)
        counted = plain.graded(ranking, grades[number], options, top)
        expected = [_plain_value(name, ranking, counted) for name in NAMES]
        assert value.tolist() == pytest.approx(expected, abs=1e-14), number


def _plain_value(name: str, ranking: Sequence[str], judged: plain.Judgments) -> float:
    measure = parse_measure(name)
    k = None if measure.cutoff is None else int(measure.cutoff)
    return plain.value_of(measure.family, ranking, judged, k, getattr(measure, "rel", 1))


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_version_9_to_the_last_bit(seed: int, judged_only: bool) -> None:
    """pytrec_eval is trec_eval 9, with scores of 32 bits. On topics with only negative grades it would crash."""
    grades, scores = shaken(seed)
    grades = {n: judged for n, judged in grades.items() if max(judged.values()) >= 0}
    if not grades:
        return
    names = {"map": "AP", "ndcg": "nDCG", "recip_rank": "RR", "bpref": "bpref", "P_5": "P@5", "ndcg_cut_3": "nDCG@3"}
    peer = pytrec_eval.RelevanceEvaluator(
        grades, {"map", "ndcg", "recip_rank", "bpref", "P.5", "ndcg_cut.3"}, judged_docs_only_flag=judged_only
    )
    theirs = peer.evaluate(scores)
    options = Options(trec_eval=9, judged_only=judged_only)
    ours = evaluate(made_run(scores), made_qrels(grades), [*map(parse_measure, names.values())], options=options)
    for number, value in zip(ours.numbers, ours.value.tolist(), strict=True):
        if number in theirs:
            assert value == [theirs[number][name] for name in names], number


def test_scores_that_only_32_bits_make_equal() -> None:
    scores = {"1": {"a": 1.0 + 3e-9, "b": 1.0 + 2e-9, "c": 1.0 + 1e-9, "d": 0.5}}
    grades = {"1": {"a": 1, "b": 0, "d": 1}}
    run, qrels, measures = made_run(scores), made_qrels(grades), [parse_measure("RR")]
    by_10 = evaluate(run, qrels, measures)
    by_9 = evaluate(run, qrels, measures, options=Options(trec_eval=9))
    assert (by_10.value[0, 0], by_9.value[0, 0]) == (1.0, 1 / 3)  # c, b, a: by docno, descending
    assert (by_10.n_tied_judged_rows, by_9.n_tied_judged_rows) == (0, 2)


def small_case(seed: int) -> tuple[dict[str, float], dict[str, int]]:
    rng = random.Random(seed)
    docnos = list("abcdefg")[: rng.randrange(2, 8)]
    scores = {d: float(rng.randrange(rng.choice([1, 2, 3]))) for d in docnos}
    judged = {d: rng.choice([-1, 0, 1, 1, 2]) for d in docnos if rng.random() < 0.8}
    return scores, judged | {"unfound": rng.choice([0, 1, 2])}


def orders(scores: dict[str, float]) -> Iterator[dict[str, float]]:
    """Every order of the documents among their equals."""
    levels = sorted(set(scores.values()), reverse=True)
    groups = [[d for d, s in scores.items() if s == level] for level in levels]
    for parts in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield {docno: scores[docno] for part in parts for docno in part}


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("options", AVERAGED, ids=repr)
def test_averaged_ties_are_the_mean_over_all_orders(seed: int, options: Options) -> None:
    """A topic for each order, read in the order of the file, for every measure that has the expected value."""
    scores, judged = small_case(seed)
    if sum(1 for _ in orders(scores)) > 800:
        return
    measures = [measure for measure in every_measure() if measure.averages_ties]
    qrels = made_qrels({"1": judged})
    averaged = evaluate(made_run({"1": scores}), qrels, measures, options=options).value[0]
    numbered = {str(i): order for i, order in enumerate(orders(scores))}
    each = evaluate(
        made_run(numbered), made_qrels(dict.fromkeys(numbered, judged)), measures, options=replace(options, ties="file")
    )
    expected = [math.fsum(column) / len(numbered) for column in each.value.T.tolist()]
    assert dict(zip(map(str, measures), averaged.tolist(), strict=True)) == pytest.approx(
        dict(zip(map(str, measures), expected, strict=True)), abs=1e-13
    )


def test_averaged_ties_by_hand() -> None:
    """a, b and c share the first three ranks, d is fourth: a and d are relevant."""
    scores, grades = {"1": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.0}}, {"1": {"a": 1, "d": 1}}
    measures = [*map(parse_measure, ["RR", "P@1", "P@2", "AP", "R@3", "RR@2"])]
    evaluation = evaluate(made_run(scores), made_qrels(grades), measures, options=Options(ties="averaged"))
    first = (1 + 1 / 2 + 1 / 3) / 3
    assert evaluation.value[0].tolist() == pytest.approx([first, 1 / 3, 1 / 3, (first + 2 / 4) / 2, 1 / 2, 1.5 / 3])


def test_measures_without_averaged_ties_are_refused() -> None:
    scores, judged = small_case(1)
    with pytest.raises(ValueError, match="no values averaged over ties for bpref"):
        evaluate(
            made_run({"1": scores}),
            made_qrels({"1": judged}),
            [*map(parse_measure, ["AP", "bpref"])],
            options=Options(ties="averaged"),
        )


@pytest.mark.parametrize("options", [*READINGS, *AVERAGED], ids=repr)
@pytest.mark.parametrize("at_once", [1, 150, 2_000_000])
def test_runs_together_have_the_bits_each_has_alone(
    options: Options, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scorer, "AT_ONCE", at_once)
    grades = random_case(3)[0] | random_case(5)[0]
    runs = [made_run(shaken(seed)[1], f"run{seed}") for seed in range(3, 11)]
    measures = [m for m in every_measure() if m.averages_ties or options.ties != "averaged"]
    together = evaluate_runs(runs, made_qrels(grades), measures, options=options)
    assert [one.tag for one in together] == [run.tag for run in runs]
    for run, one in zip(runs, together, strict=True):
        alone = evaluate(run, made_qrels(grades), measures, options=options)
        np.testing.assert_array_equal(one.value, alone.value)
        np.testing.assert_array_equal(one.mean, alone.mean)
        assert (one.missing, one.unknown, one.n_judged_rows) == (alone.missing, alone.unknown, alone.n_judged_rows)
        assert one.n_tied_judged_rows == alone.n_tied_judged_rows


@pytest.mark.parametrize("options", [*READINGS, *AVERAGED], ids=repr)
@pytest.mark.parametrize("seed", [0, 3, 7, 20])
def test_torch_has_the_bits_of_numpy(options: Options, seed: int) -> None:
    grades, scores = shaken(seed)
    measures = [m for m in every_measure() if m.averages_ties or options.ties != "averaged"]
    run, qrels = made_run(scores), made_qrels(grades)
    by_numpy = evaluate(run, qrels, measures, options=options)
    by_torch = evaluate(run, qrels, measures, options=options, device="cpu")
    for name, ours, theirs in zip(by_numpy.measures, by_numpy.value.T, by_torch.value.T, strict=True):
        np.testing.assert_array_equal(ours, theirs, err_msg=name)


@pytest.mark.parametrize("seed", [0, 3, 7, 20])
def test_a_graphics_card_agrees_to_1e_12(seed: int) -> None:
    if not pytest.importorskip("torch").cuda.is_available():
        pytest.skip("there is no graphics card")
    grades, scores = shaken(seed)
    run, qrels = made_run(scores), made_qrels(grades)
    here, there = (evaluate(run, qrels, every_measure(), device=device) for device in (None, "cuda"))
    np.testing.assert_allclose(there.value, here.value, rtol=0, atol=1e-12)


def test_no_runs_no_values() -> None:
    assert evaluate_runs([], made_qrels({"1": {"a": 1}}), [parse_measure("AP")]) == []


def test_a_top_grade_below_the_qrels_is_refused() -> None:
    run, qrels, measures = made_run({"1": {"a": 1.0}}), made_qrels({"1": {"a": 3}}), [parse_measure("AP")]
    with pytest.raises(ValueError, match=r"^the qrels have grade 3, above the top grade 2$"):
        evaluate(run, qrels, measures, options=Options(max_grade=2))
    assert evaluate(run, qrels, measures, options=Options(max_grade=3)).top_grade == 3
    assert evaluate(run, qrels, measures, options=Options(max_grade=4)).top_grade == 4
    assert evaluate(run, made_qrels({"1": {"a": -1}}), measures).top_grade == 1


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"ties": "random"}, "ties are one of docno, docno ascending, file, averaged; not 'random'"),
        ({"unjudged": "half"}, "unjudged documents count as 'zero' or 'top', not 'half'"),
        ({"depth": 0}, "the depth is at least 1"),
        ({"max_grade": 0}, "the top grade is at least 1"),
        ({"trec_eval": 8}, "trec_eval is 9 or 10, not 8"),
        ({"trec_eval": 9, "ties": "file"}, "trec_eval 9 breaks ties by docno"),
        ({"ties": "averaged", "judged_only": True}, "averaged ties and dropping unjudged documents"),
        ({"ties": "averaged", "unjudged": "top", "depth": 5}, "averaged ties, unjudged documents as the top grade"),
        ({"unjudged": "top", "judged_only": True}, "either dropped or counted as the top grade"),
    ],
)
def test_options_that_contradict_each_other(wrong: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Options(**wrong)  # type: ignore[arg-type]
