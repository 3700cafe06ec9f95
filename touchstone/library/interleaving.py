"""`ts.interleave` and `ts.credit_clicks`: lists of several runs, and what clicks on them prefer."""

import os
from pathlib import Path
from typing import Literal

from annotation.formats.problems import Problems
from evaluation.engine.interleaving.counting import tally
from evaluation.engine.interleaving.drawing import DEPTH, method_named
from evaluation.engine.interleaving.drawing import interleave as interleave_packed
from evaluation.engine.interleaving.lists import Lists
from evaluation.engine.interleaving.preferences import Interleaving, preferences_of
from evaluation.engine.significance.corrections import Correction
from evaluation.formats.interleaving import read_lists
from evaluation.formats.log.interleaved import read_clicked
from touchstone.library.sources import PathLike, RunSources, runs_with_notes


def interleave(
    runs: RunSources,
    method: str = "team_draft",
    *,
    depth: int = DEPTH,
    lists: int = 1,
    seed: int = 0,
    shared_prefix: Literal["drafted", "teamless"] | None = None,
    click_credit: Literal["inverse", "linear"] | None = None,
    tau: float | None = None,
) -> Lists:
    """Draw `lists` interleaved lists of each topic that all runs have; runs are given as in `evaluate`.

    `method` is `team_draft` or `probabilistic` (2 to 20 runs), `balanced` or `optimised`; `shared_prefix` is a
    parameter of `team_draft`, `tau` of `probabilistic`, `click_credit` of `optimised`. A list is a pure function of
    seed, topic and its number, from 1. Raises `ValueError` for an unknown method, a parameter that it does not take,
    runs or a depth that it cannot interleave, and no topic that all runs have; and as `read_run` does.
    """
    chosen = method_named(method, {"shared_prefix": shared_prefix, "click_credit": click_credit, "tau": tau})
    return interleave_packed(runs_with_notes(runs)[0], chosen, depth=depth, lists_per_topic=lists, seed=seed)


def credit_clicks(
    lists: PathLike | Lists, log: PathLike, *, confidence: float = 0.95, correction: Correction = "holm"
) -> Interleaving:
    """What the clicks of a log prefer, a file of any form that docs/formats.md names, a row a click; needs polars.

    `lists` are those of `interleave`, or the file that the command wrote. Raises `FormatError` for what is malformed,
    `ValueError` where there is no click, `OSError` for a file that cannot be read.
    """
    if not isinstance(lists, Lists):
        with Path(lists).open("rb") as stream:
            lists = read_lists(stream, Problems(Path(lists).name))
    path = Path(os.fspath(log))
    row, clicked = read_clicked(path, Problems(path.name), lists)
    counted = tally(lists, method_named(lists.method, lists.parameters), row, clicked)
    return preferences_of(counted, method=lists.method, confidence=confidence, correction=correction)
