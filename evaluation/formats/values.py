"""Values of runs as text: a table to look at, CSV and JSON to go on with.

Table and LaTeX have four decimals, where documents are counted none; CSV and JSON the shortest text
that reads back as the same float64. The row of the mean has the topic `all`, as trec_eval prints
it.
"""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from evaluation.engine.arrays import Floats
from evaluation.engine.measures import is_count, is_mean, is_quality
from evaluation.engine.scorer import MeasureValues

MEAN = "all"


def as_table(evaluations: Sequence[MeasureValues], *, per_topic: bool) -> str:
    """Aligned columns: run, topic, one column a measure. Evaluations share their measures."""
    head = ["run", "topic", *evaluations[0].measures]
    shown = _as_text(evaluations[0].measures)
    rows = [
        [evaluation.tag, number, *shown(values)]
        for evaluation in evaluations
        for number, values in _rows(evaluation, per_topic=per_topic)
    ]
    if not per_topic:
        head, rows = _without_topic(head), [_without_topic(row) for row in rows]
    return "\n".join(aligned([head, *rows], n_names=2 if per_topic else 1)) + "\n"


def aligned(rows: Sequence[Sequence[str]], *, n_names: int) -> list[str]:
    """A line a row, in columns: the first `n_names` begin at the left, the others, numbers, end at the right."""
    width = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(text.ljust(width[i]) if i < n_names else text.rjust(width[i]) for i, text in enumerate(row)).rstrip()
        for row in rows
    ]


def as_csv(evaluations: Sequence[MeasureValues], *, per_topic: bool) -> str:
    """`run,topic,<measure>…` with a header line; the mean of a run is its last row."""
    return "".join(csv_pieces(evaluations, per_topic=per_topic))


def csv_pieces(evaluations: Iterable[MeasureValues], *, per_topic: bool) -> Iterator[str]:
    """The same, a piece a run, so that the values of one are in memory at a time; nothing where there is no run."""
    for n, evaluation in enumerate(evaluations):
        head = [] if n else [["run", "topic", *evaluation.measures]]
        values_by_topic = _rows(evaluation, per_topic=per_topic)
        rows = ([evaluation.tag, number, *map(repr, values.tolist())] for number, values in values_by_topic)
        yield csv_rows([*head, *rows])


def csv_text(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A header line and a line a row, each ended by a line feed alone; None is an empty cell."""
    return csv_rows([head, *rows])


def csv_rows(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def as_json(evaluations: Sequence[MeasureValues], *, per_topic: bool) -> str:
    """A list, an object a run: `run`, `averaging`, `mean` by measure, what was left out or is doubtful, `topics`."""
    return json.dumps([_as_object(e, per_topic=per_topic) for e in evaluations], ensure_ascii=False, indent=2) + "\n"


def as_latex(evaluations: Sequence[MeasureValues], *, per_topic: bool) -> str:
    """A `tabular` with the rules of booktabs; of the means the best in each column is bold, where more is better."""
    measures = evaluations[0].measures
    best = [_best(evaluations, i) if is_quality(name) else None for i, name in enumerate(measures)]
    shown = _as_text(measures)
    head = ["run", *(["topic"] if per_topic else []), *measures]
    lines = [
        r"\begin{tabular}{l" + "l" * per_topic + "r" * len(measures) + "}",
        r"\toprule",
        _latex_row(map(latex, head)),
    ]
    for evaluation in evaluations:
        lines.append(r"\midrule" if per_topic or evaluation is evaluations[0] else "")
        for number, values in _rows(evaluation, per_topic=per_topic):
            cells = shown(values)
            if number == MEAN and len(evaluations) > 1:
                cells = [rf"\textbf{{{c}}}" if float(c) == b else c for c, b in zip(cells, best, strict=True)]
            names = [evaluation.tag, number] if per_topic else [evaluation.tag]
            lines.append(_latex_row([*map(latex, names), *cells]))
    return "\n".join(line for line in [*lines, r"\bottomrule", r"\end{tabular}"] if line) + "\n"


def _as_text(measures: Sequence[str]) -> Callable[[Floats], list[str]]:
    """Of the values of a row, one a measure: four decimals, and none where a whole number of documents is counted."""
    counts = [is_count(name) for name in measures]

    def shown(values: Floats) -> list[str]:
        pairs = zip(values.tolist(), counts, strict=True)
        return [f"{value:.0f}" if counted and value.is_integer() else f"{value:.4f}" for value, counted in pairs]

    return shown


def _best(evaluations: Sequence[MeasureValues], column: int) -> float:
    """As it is printed."""
    return max(round(float(e.mean[column]), 4) for e in evaluations)


def latex(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return "".join(_LATEX.get(character, character) for character in text)


FORMATS: Mapping[str, Callable[..., str]] = {"table": as_table, "csv": as_csv, "json": as_json, "latex": as_latex}
_LATEX = {
    **{character: "\\" + character for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _rows(evaluation: MeasureValues, *, per_topic: bool) -> Iterator[tuple[str, Floats]]:
    if per_topic:
        yield from zip(evaluation.numbers, evaluation.value, strict=True)
    yield MEAN, evaluation.mean


def _without_topic(row: list[str]) -> list[str]:
    return [row[0], *row[2:]]


def _as_object(evaluation: MeasureValues, *, per_topic: bool) -> dict[str, object]:
    report: dict[str, object] = {
        "run": evaluation.tag,
        "averaging": evaluation.averaging,
        "n_topics": len(evaluation.numbers),
        "mean": _by_measure(evaluation, evaluation.mean),
        "spread": _spread(evaluation),
        "missing": evaluation.missing,
        "without_relevant": evaluation.without_relevant,
        "without_nonrelevant": evaluation.without_nonrelevant,
        "unknown": evaluation.unknown,
        "n_judged_rows": evaluation.n_judged_rows,
        "n_tied_judged_rows": evaluation.n_tied_judged_rows,
        "top_grade": evaluation.top_grade,
    }
    if per_topic:
        pairs = zip(evaluation.numbers, evaluation.value, strict=True)
        report["topics"] = {number: _by_measure(evaluation, values) for number, values in pairs}
    return report


def _spread(evaluation: MeasureValues) -> dict[str, dict[str, float | None]]:
    """Of each measure whose summary is a mean, over two topics or more: deviation (n − 1) and 95 % interval; its ends
    are None where none would hold (`no_interval`)."""
    from evaluation.engine.value_range import interval_of_mean  # noqa: PLC0415 (a table needs it not)

    spread = dict[str, dict[str, float | None]]()
    for column, measure in enumerate(evaluation.measures):
        value = evaluation.value[:, column]
        if value.size > 1 and is_mean(measure) and math.isclose(float(value.mean()), float(evaluation.mean[column])):
            interval = interval_of_mean(value, measure)
            ends = (None, None) if evaluation.no_interval(column) else (interval.low, interval.high)
            spread[measure] = {"deviation": interval.deviation, "low": ends[0], "high": ends[1]}
    return spread


def _by_measure(evaluation: MeasureValues, values: Floats) -> dict[str, float]:
    return dict(zip(evaluation.measures, values.tolist(), strict=True))
