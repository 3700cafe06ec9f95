"""Many runs compared by one measure or more as text: a table to look at, LaTeX to print, CSV and JSON to go on with."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from evaluation.engine.conclusions import conclusion_of_many
from evaluation.engine.many_runs import ManyRuns
from evaluation.formats.values import aligned, csv_text, latex

COLUMNS = ("measure", "run", "mean", "low", "high", "best_rank", "worst_rank", "groups")


def as_table(compared: Sequence[ManyRuns], _seed: int) -> str:
    """A block a measure: a line a run, the best first, then what may be concluded."""
    return "\n\n".join(map(_block, compared)) + "\n"


def as_csv(compared: Sequence[ManyRuns], _seed: int) -> str:
    """A row a measure and run, with every digit."""
    return csv_text(COLUMNS, ([many.measure, *row.values()] for many in compared for row in rows_of(many)))


def as_json(compared: Sequence[ManyRuns], seed: int) -> str:
    """`seed`; `measures`: one object each with its test, runs, groups, conclusion and figures of all pairs."""
    report = {"seed": seed, "measures": [_of_measure(many) for many in compared]}
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def as_latex(compared: Sequence[ManyRuns], seed: int) -> str:
    """A `tabular` with the rules of booktabs, a block a measure; comments in front have the conclusions."""
    lines = [f"% {sentence}" for many in compared for sentence in conclusion_of_many(many)]
    lines += [f"% seed {seed}", r"\begin{tabular}{lrrrl}", r"\toprule"]
    lines.append(r"run & mean & interval & ranks & groups \\")
    for many in compared:
        lines += [r"\midrule", rf"\multicolumn{{5}}{{l}}{{{latex(many.measure)}}} \\"]
        for run in many.runs:
            low, high = run.interval.low, run.interval.high
            lines.append(
                f"{latex(run.tag)} & {run.interval.mean:.4f} & $[{low:.4f}, {high:.4f}]$ & "
                rf"{run.best_rank}--{run.worst_rank} & {run.letters} \\"
            )
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[ManyRuns], int], str]] = {
    "table": as_table,
    "csv": as_csv,
    "json": as_json,
    "latex": as_latex,
}


def rows_of(many: ManyRuns) -> Iterator[dict[str, object]]:
    """A row a run, by the names of `COLUMNS`, without the measure."""
    for run in many.runs:
        values = (run.interval.mean, run.interval.low, run.interval.high, run.best_rank, run.worst_rank, run.letters)
        yield dict(zip(COLUMNS[1:], (run.tag, *values), strict=True))


def _block(many: ManyRuns) -> str:
    head = ["run", "mean", f"{100 * many.design.confidence:g} % interval", "ranks", "groups"]
    rows = [
        [
            run.tag,
            f"{run.interval.mean:.4f}",
            f"[{run.interval.low:.4f}, {run.interval.high:.4f}]",
            f"{run.best_rank}–{run.worst_rank}",
            run.letters or "–",
        ]
        for run in many.runs
    ]
    return "\n".join([many.measure, *aligned([head, *rows], n_names=1), *conclusion_of_many(many)])


def _of_measure(many: ManyRuns) -> dict[str, object]:
    tags = [run.tag for run in many.runs]
    return {
        "measure": many.measure,
        "test": many.design.test,
        "correction": many.correction,
        "n_draws": many.n_draws,
        "exact": many.exact,
        "alpha": many.design.alpha,
        "confidence": many.design.confidence,
        "n_topics": len(many.numbers),
        "apart": {"n_apart": many.n_apart, "n_pairs": many.n_pairs},
        "runs": list(rows_of(many)),
        "groups": None if many.groups is None else [[tags[at] for at in group] for group in many.groups],
        "difference": many.difference.tolist(),
        "adjusted_p": many.adjusted.tolist(),
        "conclusion": conclusion_of_many(many),
    }
