"""`ts.evaluate`: the engine over sources of every kind."""

from collections.abc import Iterable
from typing import Any, Literal, TypedDict, Unpack

from evaluation.engine.measures import DEFAULT_MEASURES, Measure
from evaluation.engine.options import Options, Ties, Unjudged
from evaluation.engine.scorer import Averaging, MeasureValues, evaluate_lookups, evaluate_runs
from evaluation.formats.notes import notes_on
from touchstone.library.measures import MeasureLike, measures_of
from touchstone.library.plain_dicts import look_up_plain
from touchstone.library.results import Evaluations, RunValues
from touchstone.library.sources import RUN, QrelsSource, RunSources, qrels_with_notes, refuse_strangers, runs_with_notes


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
    evaluations, notes = evaluated(qrels, runs, chosen, reading)
    return Evaluations(tuple(map(RunValues, evaluations)), notes)


def evaluated(
    qrels: QrelsSource, runs: RunSources, measures: list[Measure], reading: Reading
) -> tuple[list[MeasureValues], tuple[str, ...]]:
    """The evaluations, and notes on the files and on the figures."""
    if unknown := [name for name in reading if name not in Reading.__annotations__]:
        raise TypeError(f"there is no option {unknown[0]!r}; there are {', '.join(Reading.__annotations__)}")
    averaging, device = reading.get("averaging", "complete"), reading.get("device")
    chosen: dict[str, Any] = {name: value for name, value in reading.items() if name not in ("averaging", "device")}
    options = Options(**chosen)
    if plain := look_up_plain(qrels, runs, RUN, options):
        reference, run, lookup = plain
        refuse_strangers([run], reference)
        evaluations = evaluate_lookups(
            [run], [lookup], reference, measures, averaging=averaging, options=options, device=device
        )
        return evaluations, tuple(notes_on(evaluations, reference, measures, options))
    reference, of_qrels = qrels_with_notes(qrels)
    packed, of_runs = runs_with_notes(runs)
    refuse_strangers(packed, reference)
    evaluations = evaluate_runs(packed, reference, measures, averaging=averaging, options=options, device=device)
    return evaluations, (*of_qrels, *of_runs, *notes_on(evaluations, reference, measures, options))
