"""Evaluate as Touchstone does: `by_engine.py files|packed|import|warm|torch OUT QRELS RUN …`.

files: from run files. packed: from runs already imported. import: pack a run into the file OUT. warm: as packed, again
and again in one process; torch: the measures alone, of rows already looked up: both print the seconds of each round.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")  # as manage.py has it, before numpy starts

import numpy as np
from measures import NAMES

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from annotation.formats.problems import Problems
from annotation.formats.qrels import parse_qrels
from annotation.formats.threads import worked_ahead
from evaluation.engine.backend import backend_for
from evaluation.engine.lookup import look_up
from evaluation.engine.measures import parse_measure
from evaluation.engine.options import DEFAULT_OPTIONS
from evaluation.engine.qrels import Qrels
from evaluation.engine.rankings import rankings_of
from evaluation.engine.run import PackedRun, RunTable, load_run, pack_run
from evaluation.engine.scorer import MeasureValues, evaluate_runs
from evaluation.formats.run import parse_run

ROUNDS = 7


def read_qrels(path: str) -> Qrels:
    with Path(path).open("rb") as stream:
        return Qrels.of_table(parse_qrels(stream, Problems(path)))


def read_run(path: str) -> RunTable:
    with Path(path).open("rb") as stream:
        return parse_run(stream, Problems(path))


def read_runs(paths: Sequence[str]) -> list[PackedRun]:
    return [run for _, run in worked_ahead(lambda path: read_run(path).packed, paths)]


def score(runs: list[PackedRun], qrels: Qrels) -> list[MeasureValues]:
    return evaluate_runs(runs, qrels, [parse_measure(name) for name in NAMES])


def save(out: str, evaluations: list[MeasureValues]) -> None:
    np.save(out, np.concatenate([one.value for one in evaluations]))


def print_seconds(work: Callable[[], object]) -> None:
    work()
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        print(time.perf_counter() - begin)


def measure_with_torch(packed: str, qrels_path: str) -> Callable[[], object]:
    qrels, backend = read_qrels(qrels_path), backend_for("cpu")
    top = int(qrels.grade.max())
    lookup = look_up(load_run(Path(packed)), qrels, DEFAULT_OPTIONS, top)
    measures = [parse_measure(name) for name in NAMES]

    def work() -> object:
        view = rankings_of(lookup, DEFAULT_OPTIONS, top, backend)
        return [backend.get(measure.per_topic(view)) for measure in measures]

    return work


def main(how: str, out: str, qrels: str, *runs: str) -> None:
    if how == "import":
        Path(out).write_bytes(pack_run(read_run(runs[0])))
    elif how == "files":
        save(out, score(read_runs(runs), read_qrels(qrels)))
    elif how == "packed":
        save(out, score([load_run(Path(run)) for run in runs], read_qrels(qrels)))
    elif how == "warm":
        print_seconds(lambda: score([load_run(Path(run)) for run in runs], read_qrels(qrels)))
    else:
        print_seconds(measure_with_torch(runs[0], qrels))


if __name__ == "__main__":
    main(*sys.argv[1:])
