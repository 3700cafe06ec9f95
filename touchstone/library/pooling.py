"""`ts.judge_next`: which pairs would tell most. `ts.pooling_replay`: what ways to choose judgments would have made."""

from collections.abc import Sequence

from evaluation.engine.adaptive.methods import METHODS, methods_named
from evaluation.engine.adaptive.replay import BUDGETS, Replay, Unlisted, replay
from evaluation.engine.judge_next import BEST, DEPTH, JudgeNext
from evaluation.engine.judge_next import judge_next as ranked_pairs
from evaluation.engine.measures import Measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from touchstone.library.measures import MeasureLike, measures_of
from touchstone.library.sources import QrelsSource, RunSources, qrels_with_notes, refuse_strangers, runs_with_notes


def pooling_replay(
    qrels: QrelsSource,
    runs: RunSources,
    measure: MeasureLike = "nDCG@10",
    *,
    methods: Sequence[str] = tuple(METHODS),
    budgets: Sequence[float] = BUDGETS,
    n_seeds: int = 20,
    depth: int = 10,
    rel: int = 1,
    unlisted: Unlisted = "skip",
    leave_out: bool = False,
) -> Replay:
    """Replay ways to choose judgments on full qrels, as the command `pooling_replay` does.

    Each of `.rows` is a method at a budget, a share of the pool, with arrays over seeds: `tau_b` and `tau_ap` of the
    order of runs with that under all qrels, `error` of the means, `ap_error`, and the share of relevant documents
    `found`. `.left_out` has the same with a run left out of the pool at a time. docs/pooling.md has the methods.

    Raises as `evaluate` does, and `ValueError` for fewer than three runs, several measures, an unknown method, budgets
    that are no shares, and a measure that a method has no estimate of.
    """
    chosen, reference, packed = _sources(qrels, runs, measure)
    return replay(
        packed,
        reference,
        methods_named(list(methods)),
        budgets=budgets,
        n_seeds=n_seeds,
        measure=chosen,
        depth=depth,
        rel=rel,
        unlisted=unlisted,
        leave_out=leave_out,
    )


def judge_next(
    qrels: QrelsSource,
    runs: RunSources,
    measure: MeasureLike = "nDCG@10",
    *,
    depth: int = DEPTH,
    best: int = BEST,
    top: int | None = None,
    n: int | None = None,
) -> JudgeNext:
    """Rank the unjudged pairs by how much a judgment of each would change, as the command `judge_next` does.

    Of two runs their difference, of more the order of the `best` ones by the measure. A pair has number, docno, ranks,
    the expected and the greatest change; `top` is the top grade, that of the qrels unless given. Raises as `evaluate`
    does, and `ValueError` for fewer than two runs, several measures and too much to look at.
    """
    chosen, reference, packed = _sources(qrels, runs, measure)
    return ranked_pairs(packed, reference, chosen, depth=depth, best=best, top=top, n=n)


def _sources(qrels: QrelsSource, runs: RunSources, measure: MeasureLike) -> tuple[Measure, Qrels, list[PackedRun]]:
    chosen, *others = measures_of(measure)
    if others:
        raise ValueError(f"runs are put in order by one measure, not by {1 + len(others)}")
    reference, packed = qrels_with_notes(qrels)[0], runs_with_notes(runs)[0]
    refuse_strangers(packed, reference)
    return chosen, reference, packed
