"""`ts.sensitivity`: how sure the order of runs is."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats.problems import Problems
from annotation.quality.policy import Policy
from evaluation.engine.options import Options
from evaluation.engine.sensitivity.evidence import N_DRAWS, POOL_DEPTH, Evidence, JudgmentsAnew, Question
from evaluation.engine.sensitivity.judgments import Judgments, judgments_of
from evaluation.engine.sensitivity.study import Sensitivity, study
from evaluation.formats.annotators import inputs_of, parse_annotators, parse_gold, policy_for
from touchstone.library.measures import MeasureLike, measures_of
from touchstone.library.sources import (
    PathLike,
    QrelsSource,
    RunSources,
    qrels_with_notes,
    refuse_strangers,
    runs_with_notes,
)


def sensitivity(
    qrels: QrelsSource | None,
    runs: RunSources,
    measure: MeasureLike = "nDCG@10",
    *,
    judgments: PathLike | None = None,
    gold: PathLike | None = None,
    policy: Mapping[str, Any] | None = None,
    beside: Mapping[str, QrelsSource] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    pairs: Sequence[tuple[str, str]] = (),
    anew: JudgmentsAnew = "annotators",
    pool_depth: int = POOL_DEPTH,
    n_draws: int = N_DRAWS,
    max_grade: int | None = None,
    seed: int = 0,
) -> Sensitivity:
    """Say which changes the order of runs survives, and in what share of draws one run beats another.

    `qrels` and `runs` as in `evaluate`; or `qrels` None and `judgments` a file of what several annotators said, with
    `gold` where there is some, and `policy`, the parameters that differ from the default one's. `beside` are other
    qrels of the same pairs by name. Each of `.changes` has τ-b, τ-AP and swaps of its cases, or says why it has none;
    each of `.shares` is of two runs: those of `pairs`, else neighbours in the order. Means are over all topics.

    Raises as `evaluate` does, and `ValueError` for fewer than two runs, several measures, a run or group that is not
    there, and a policy that keeps nothing.
    """
    chosen, *others = measures_of(measure)
    if others:
        raise ValueError(f"runs are put in order by one measure, not by {1 + len(others)}")
    if (qrels is None) == (judgments is None):
        raise ValueError("either qrels or judgments are given")
    if judgments is None and (gold is not None or policy is not None):
        raise ValueError("gold and a policy go with judgments")
    judged = None if judgments is None else _judgments(judgments, gold, policy, max_grade)
    packed, _ = runs_with_notes(runs)
    evidence = Evidence(
        runs=packed,
        pairs=judged.pairs if judged else qrels_with_notes(qrels)[0],
        judgments=judged,
        others={name: qrels_with_notes(other)[0] for name, other in (beside or {}).items()},
    )
    refuse_strangers(packed, evidence.pairs)
    question = Question(
        measure=chosen,
        options=Options(max_grade=max_grade),
        pool_depth=pool_depth,
        groups=groups or {},
        named=pairs,
        judgments_anew=anew,
        n_draws=n_draws,
        seed=seed,
    )
    return study(evidence, question)


def _judgments(
    path: PathLike, gold: PathLike | None, policy: Mapping[str, Any] | None, max_grade: int | None
) -> Judgments:
    with Path(path).open("rb") as stream:
        rows = parse_annotators(stream, Problems(os.fspath(path)))
    gold_rows = []
    if gold is not None:
        with Path(gold).open("rb") as stream:
            gold_rows = parse_gold(stream, Problems(os.fspath(gold)))
    inputs = inputs_of(rows, gold_rows, top=max_grade)
    return judgments_of(inputs, policy_for(inputs) if policy is None else Policy(**policy))
