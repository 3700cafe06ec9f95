"""trec_eval's output, byte for byte: `measure<TAB>topic<TAB>value`, and the means and deviations of `-Z`.

A z-scores file has a line `topic measure mean deviation` for each topic and measure, as trec_eval
prints measures.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, TypeAlias

from annotation.formats.columns import Layout, read_blocks, read_carefully
from annotation.formats.fields import shown
from annotation.formats.lines import DEFAULT_LIMITS, Limits
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Floats
from evaluation.engine.measures import Measure
from evaluation.engine.scorer import LEAST, MeasureValues
from evaluation.engine.trec_eval_requests import Request

ZScores: TypeAlias = Mapping[tuple[str, str], tuple[float, float]]  # (topic, measure) → (mean, deviation)
MEAN = "all"
MISSING = -1_000_000.0  # the z-score of what the file does not have
LAYOUT = Layout(
    names=("topic", "measure", "mean", "deviation"), keep={0: "id", 1: "id", 2: "score", 3: "score"}, comments=True
)


def as_trec_eval(
    result: MeasureValues,
    requests: Sequence[Request],
    *,
    strings: Mapping[str, Mapping[str, str]],
    per_topic: bool = False,
    summary: bool = True,
    z_scores: ZScores | None = None,
) -> Iterator[str]:
    """The lines, topic by topic and then the summary.

    `result` has a column for each request of a value, in their order. `strings` are those of each relstring, by its
    name, for each topic. With `z_scores` every value is its distance from the mean in deviations, and summaries are
    over these.
    """
    measured = [request for request in requests if request.measure is not None]
    columns = {request.name: result.value[:, j] for j, request in enumerate(measured)}
    if z_scores is not None:
        columns = {r.name: _z_scores(result.numbers, r, columns[r.name], z_scores) for r in measured}
    means = dict(zip((r.name for r in measured), result.mean.tolist(), strict=False))
    if z_scores is not None:
        means = {r.name: _summary(r.measure, columns[r.name]) for r in measured if r.measure is not None}
    if per_topic:
        for t, number in enumerate(result.numbers):
            for request in requests:
                yield from _topic_line(request, number, t, columns, strings, marked=z_scores is not None)
    if summary:
        for request in requests:
            yield from _summary_line(request, result, means, marked=z_scores is not None)


def parse_z_scores(stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS) -> ZScores:
    """Read means and deviations; raises `FormatError` with every fault found (file, line, reason).

    A deviation is at least 0; a topic and measure may occur once.
    """
    scores: dict[tuple[str, str], tuple[float, float]] = {}
    for block in read_blocks(stream, problems, limits=limits):
        for line, (topic, measure, mean, deviation) in read_carefully(block, LAYOUT, problems):
            if (topic, measure) in scores:
                problems.add(line, f"the measure {shown(measure)} is there twice for topic {shown(topic)}")
            if float(deviation) < 0:
                problems.add(line, f"the deviation {shown(deviation)} is below 0")
            scores[topic, measure] = float(mean), float(deviation)
    problems.check()
    return scores


def _topic_line(
    request: Request,
    number: str,
    topic: int,
    columns: Mapping[str, Floats],
    strings: Mapping[str, Mapping[str, str]],
    *,
    marked: bool,
) -> Iterator[str]:
    """Nothing for what trec_eval prints in the summary alone: the tag, the number of topics, geometric means."""
    if request.what == "grades":
        yield _line(request.name, number, f"'{strings[request.name][number]}'")
    elif request.measure is not None and request.measure.summary != "geometric":
        yield _value_line(request, number, float(columns[request.name][topic]), marked=marked)


def _summary_line(
    request: Request, result: MeasureValues, means: Mapping[str, float], *, marked: bool
) -> Iterator[str]:
    if request.what == "tag":
        yield _line(request.name, MEAN, result.tag)
    elif request.what == "topics":
        yield _count_line(request.name, MEAN, len(result.numbers), marked=marked)
    elif request.measure is not None:
        yield _value_line(request, MEAN, means[request.name], marked=marked)


def _value_line(request: Request, number: str, value: float, *, marked: bool) -> str:
    if request.measure is not None and request.measure.summary == "sum":
        return _count_line(request.name, number, value, marked=marked)
    return _line(request.name, number, f"{value:6.4f}", marked=marked)


def _count_line(name: str, number: str, value: float, *, marked: bool) -> str:
    return _line(name, number, f"{value:6.4f}" if marked else f"{int(value)}", marked=marked)


def _line(name: str, number: str, text: str, *, marked: bool = False) -> str:
    return f"{'Z' if marked else ''}{name:<22}\t{number}\t{text}\n"


def _z_scores(numbers: Sequence[str], request: Request, value: Floats, scores: ZScores) -> Floats:
    z = value.copy()
    for t, number in enumerate(numbers):
        z[t] = _z_score(request, float(value[t]), scores.get((number, request.name)))
    return z


def _z_score(request: Request, value: float, reference: tuple[float, float] | None) -> float:
    if reference is None:
        return MISSING
    if request.measure is not None and request.measure.summary == "geometric":
        value = math.log(max(value, LEAST))
    mean, deviation = reference
    if deviation == 0:
        return 0.0 if value == mean else MISSING
    return (value - mean) / deviation


def _summary(measure: Measure, z: Floats) -> float:
    total = 0.0
    for value in z.tolist():
        total += value
    if measure.summary == "sum":
        return total
    return math.exp(total / z.size) if measure.summary == "geometric" else total / z.size
