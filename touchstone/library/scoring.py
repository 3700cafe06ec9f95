"""`ts.evaluate` and `ts.compare`: the engine's functions over sources of every kind."""

from collections.abc import Iterable
from typing import Any, Literal, TypedDict, Unpack

import numpy as np

from evaluation.engine.comparison import Design, check_comparable
from evaluation.engine.comparison import compare as compare_evaluations
from evaluation.engine.measures import DEFAULT_MEASURES, Measure
from evaluation.engine.options import Options, Ties, Unjudged
from evaluation.engine.order_agreement import order_agreements
from evaluation.engine.scorer import Averaging, Evaluation, evaluate_runs
from evaluation.engine.significance.corrections import Correction
from evaluation.engine.significance.intervals.result import Method
from evaluation.engine.significance.pairs import PairsTest
from evaluation.formats.notes import notes_on
from touchstone.library.measures import MeasureLike, measures_of
from touchstone.library.results import Comparisons, Evaluations, RunValues
from touchstone.library.sources import QrelsSource, RunSources, qrels_with_notes, refuse_strangers, runs_with_notes

COMPARED = ("nDCG@10", "AP")


class Reading(TypedDict, total=False):
    """How runs are read and averaged: the options of the commands, by the same names and with the same defaults.

    `averaging` "complete": over all topics of the qrels, a missing one counting 0; "retrieved": over those the run has.
    `ties`, `depth`, `judged_only`, `unjudged`, `max_grade`, `trec_eval`: see `evaluation.engine.options.Options`.
    `device`: None computes with numpy, "cpu" and "cuda" with torch, which the light install does not bring.
    """

    averaging: Averaging
    ties: Ties
    depth: int | None
    judged_only: bool
    unjudged: Unjudged
    max_grade: int | None
    trec_eval: Literal[9, 10]
    device: str | None


def evaluate(
    qrels: QrelsSource,
    runs: RunSources,
    measures: MeasureLike | Iterable[MeasureLike] = DEFAULT_MEASURES,
    **reading: Unpack[Reading],
) -> Evaluations:
    """Evaluate a run or several against qrels, with trec_eval's numbers.

    `qrels` and each run are what `read_qrels` and `read_run` take, or what they give. Several runs come as a mapping of
    tag to run, or one after the other. `measures` are names (`"nDCG@10"`, `"AP(rel=2)"`, trec_eval's `"map"`), objects
    (`ts.nDCG @ 10`) or ir_measures' objects. Values are float64 between the limits that docs/measures.md has for each
    measure; a topic without a relevant document counts 0, an unjudged document as not relevant.

    Raises `ValueError` for a measure, option, grade, score or id of no sense, and for a run without a topic of the
    qrels; `FormatError`, a `ValueError`, for a file, with file, line and reason; `OSError`; `TypeError`.
    """
    chosen = measures_of(measures)
    evaluations, notes = _evaluated(qrels, runs, chosen, reading)
    return Evaluations(tuple(map(RunValues, evaluations)), notes)


def compare(
    qrels: QrelsSource,
    runs: RunSources,
    measures: MeasureLike | Iterable[MeasureLike] = COMPARED,
    *,
    test: PairsTest = "randomization",
    correction: Correction = "holm",
    interval: Method = "t",
    confidence: float = 0.95,
    alpha: float = 0.05,
    baseline: str | None = None,
    n_draws: int | None = None,
    minimum_difference: float | None = None,
    power: float = 0.8,
    rng: int | np.random.Generator = 0,
    **reading: Unpack[Reading],
) -> Comparisons:
    """Compare runs pair by pair: differences with intervals, tests corrected for their number, effect sizes.

    `qrels`, `runs` and `measures` as in `evaluate`. `baseline` is a tag: every other run against it instead of all
    pairs. `minimum_difference` is the smallest difference that would matter, in the unit of the measure; it gives the
    power of these topics, and how many are needed for `power`. `rng` is a seed or a generator, of all that is drawn.
    docs/statistics.md says what each choice means and which papers it follows.

    Raises as `evaluate` does, and `ValueError` for fewer than two runs or topics, a geometric mean, or a baseline that
    is not there.
    """
    chosen = measures_of(measures)
    check_comparable(chosen)
    design = Design(
        test=test,
        correction=correction,
        interval=interval,
        confidence=confidence,
        alpha=alpha,
        baseline=baseline,
        n_draws=n_draws,
        minimum=minimum_difference,
        power=power,
    )
    evaluations, notes = _evaluated(qrels, runs, chosen, reading)
    seed, generator = (None, rng) if isinstance(rng, np.random.Generator) else (rng, np.random.default_rng(rng))
    comparisons = tuple(compare_evaluations(evaluations, str(one), design, rng=generator) for one in chosen)
    return Comparisons(comparisons, tuple(order_agreements(comparisons)), notes, seed)


def _evaluated(
    qrels: QrelsSource, runs: RunSources, measures: list[Measure], reading: Reading
) -> tuple[list[Evaluation], tuple[str, ...]]:
    """The evaluations, and notes on the files and on the figures."""
    if unknown := [name for name in reading if name not in Reading.__annotations__]:
        raise TypeError(f"there is no option {unknown[0]!r}; there are {', '.join(Reading.__annotations__)}")
    averaging, device = reading.get("averaging", "complete"), reading.get("device")
    chosen: dict[str, Any] = {name: value for name, value in reading.items() if name not in ("averaging", "device")}
    options = Options(**chosen)
    reference, of_qrels = qrels_with_notes(qrels)
    packed, of_runs = runs_with_notes(runs)
    refuse_strangers(packed, reference)
    evaluations = evaluate_runs(packed, reference, measures, averaging=averaging, options=options, device=device)
    return evaluations, (*of_qrels, *of_runs, *notes_on(evaluations, reference, measures, options))
