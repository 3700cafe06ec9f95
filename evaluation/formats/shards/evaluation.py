"""A folder of runs evaluated against one qrels, run by run, wherever it is done."""

import csv
import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from annotation.formats.problems import FormatError, Problem, Problems
from annotation.text.watch import WordlessWatch, say_nothing
from evaluation.engine.measures import parse_measure
from evaluation.engine.options import DEFAULT_OPTIONS, Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.scorer import Averaging, evaluate
from evaluation.formats.files import parse_judged, parse_packed, shares_no_topic
from evaluation.formats.shards.finished import Executor, PartResult, finish_parts, in_this_process
from evaluation.formats.shards.parts import Part, files_of
from evaluation.formats.shards.store import Store, sha256_of
from evaluation.formats.values import as_csv

VERSION = 2  # another number whenever the same inputs give another result
QRELS, RESULT = ".qrels", ".csv"


@dataclass(frozen=True)
class EvaluationRequest:
    """What is asked of every run. `qrels` is the hash under which the file lies beside the results."""

    corpus: str  # url of the runs
    results: str  # url
    qrels: str
    measures: tuple[str, ...]
    averaging: Averaging = "complete"
    options: Options = field(default=DEFAULT_OPTIONS)

    @property
    def ending(self) -> str:
        return RESULT

    def key(self, part: str) -> str:
        asked = {name: value for name, value in asdict(self).items() if name not in ("corpus", "results")}
        return hashlib.sha256(json.dumps([VERSION, part, asked], sort_keys=True).encode()).hexdigest()

    def beside(self, part: str) -> tuple[str, ...]:
        """Nothing."""
        return ()


@dataclass(frozen=True)
class FolderEvaluation:
    """`rows` are cells: file, run, topic, values; the last of each file has the topic `all`."""

    head: list[str]
    rows: Iterator[list[str]]
    n_runs: int
    n_evaluated: int  # this time


def store_qrels(results: Store, data: bytes, title: str) -> str:
    """Their hash, under which they lie beside the results. Raises `FormatError` for what is no qrels."""
    problems = Problems(title)
    parse_judged(io.BytesIO(data), problems)
    problems.check()
    sha = hashlib.sha256(data).hexdigest()
    if not results.has(sha + QRELS):
        results.write(sha + QRELS, data)
    return sha


def evaluate_folder(
    request: EvaluationRequest,
    executor: Executor = in_this_process,
    *,
    progress: WordlessWatch = say_nothing,
) -> FolderEvaluation:
    """The values that `evaluate` gives each file, by themselves. `progress` as in `finish_parts`.

    Raises `ValueError` where there is no file, or measures and options do not go together; `FormatError` for what is
    wrong with runs.
    """
    results, files = Store(request.results), files_of(Store(request.corpus))
    finished = finish_parts(request, files, evaluate_file, executor, progress)
    rows = _rows(results, [file.name for file in files], finished.keys)
    return FolderEvaluation(["file", "run", "topic", *request.measures], rows, len(files), finished.n_new)


def evaluate_file(work: tuple[EvaluationRequest, Part]) -> PartResult:
    """Runs anywhere that reaches runs and results; what is wrong with the run comes back as its problems."""
    request, part = work
    runs, results = Store(request.corpus), Store(request.results)
    with runs.local(part.names) as folder:
        sha = sha256_of([folder / part.name])
        key = request.key(sha)
        result = PartResult(part.name, part.stamp, sha, key, is_new=False)
        if results.has(key + RESULT):
            return result
        try:
            text = _evaluated(request, folder / part.name)
        except FormatError as fault:
            return replace(result, problems=tuple(fault.problems[:20]))
    results.write_result(key + RESULT, text.encode())
    return replace(result, is_new=True)


def _evaluated(request: EvaluationRequest, file: Path) -> str:
    problems = Problems(file.name)
    with file.open("rb") as stream:
        run = parse_packed(stream, problems)
    problems.check()
    qrels = qrels_of(request.results, request.qrels)
    if reason := shares_no_topic(file.name, run, "the qrels", qrels.numbers):
        raise FormatError([Problem(file.name, 0, reason)])
    measures = [parse_measure(name) for name in request.measures]
    return as_csv(
        [evaluate(run, qrels, measures, averaging=request.averaging, options=request.options)], per_topic=True
    )


@lru_cache(maxsize=2)
def qrels_of(results: str, sha: str) -> Qrels:
    """Parsed once a process. Raises `ValueError` where they are damaged, and takes them away."""
    store = Store(results)
    data = store.read(sha + QRELS)
    if hashlib.sha256(data).hexdigest() != sha:
        raise store.take_away(sha + QRELS)
    return parse_judged(io.BytesIO(data), Problems("qrels"))


def _rows(results: Store, names: list[str], keys: list[str]) -> Iterator[list[str]]:
    """Raises `ValueError` for a file of values that is damaged."""
    for name, key in zip(names, keys, strict=True):
        text = io.StringIO(results.read_result(key + RESULT).decode(), newline="")
        _head, *rows = csv.reader(text)
        yield from ([name, *row] for row in rows)
