"""`ts.pooling_replay`: what each way to choose judgments would have made of a pool that is judged already."""

from collections.abc import Sequence

from evaluation.engine.adaptive.methods import METHODS, methods_named
from evaluation.engine.adaptive.replay import BUDGETS, Replay, Unlisted, replay
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
    chosen, *others = measures_of(measure)
    if others:
        raise ValueError(f"runs are put in order by one measure, not by {1 + len(others)}")
    reference, packed = qrels_with_notes(qrels)[0], runs_with_notes(runs)[0]
    refuse_strangers(packed, reference)
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
