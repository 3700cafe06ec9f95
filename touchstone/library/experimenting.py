"""`ts.analyse_experiment`: an A/B test from a log of its units."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats.problems import Problems
from evaluation.engine.ab_tests.analysis import Analysis, analyse
from evaluation.engine.ab_tests.guardrails import Margin
from evaluation.engine.ab_tests.question import Question
from evaluation.formats.log.times import length_of
from evaluation.formats.log.units import read_units
from touchstone.library.sources import PathLike


def analyse_experiment(
    log: PathLike,
    *,
    variant: str,
    control: str,
    unit: str | None = None,
    measures: Sequence[str] = (),
    ratios: Sequence[tuple[str, str]] = (),
    covariate: str | None = None,
    guardrails: Mapping[str, float] | Sequence[Margin] = (),
    segments: Sequence[str] = (),
    every: float | str | None = None,
    **options: Any,
) -> Analysis:
    """Analyse an A/B test, a file of any form that docs/formats.md names, a row a unit; needs polars.

    `variant`, `unit`, `measures`, `covariate`, `segments` are columns, `ratios` pairs of them; `guardrails`: by column
    the change that is too much, signed; `every`: hour, day, week or a number between two looks. `options` are the other
    fields of `evaluation.engine.ab_tests.question.Question`, those of the command: `time`, `cluster`, `replicates`,
    `seed`, `shares`, `alpha`, `correction`, `threshold`, `start`, `events`, `narrowest_at`. Raises `FormatError` for a
    log that is malformed, `ValueError` for what cannot be analysed, `OSError` for a file that cannot be read.
    """
    margins = guardrails
    if isinstance(margins, Mapping):
        margins = [Margin(name, value) for name, value in margins.items()]
    question = Question(
        control=control,
        measures=tuple(measures),
        ratios=tuple(ratios),
        covariate=covariate,
        guardrails=tuple(margins),
        segments=tuple(segments),
        every=length_of(every) if isinstance(every, str) else every,
        **options,
    )
    path = Path(os.fspath(log))
    return analyse(read_units(path, Problems(path.name), question, variant=variant, unit=unit), question)
