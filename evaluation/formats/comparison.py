"""Comparisons of runs as text: a table to look at, LaTeX to print, CSV and JSON to go on with."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from annotation.text.counted import with_sign
from annotation.text.p_values import tabled_p
from evaluation.engine.comparison import Comparison, Pair
from evaluation.engine.order_agreement import OrderAgreement
from evaluation.formats.values import aligned, csv_text, latex

COLUMNS = (
    "measure", "test", "correction",
    "first", "second", "mean_first", "mean_second", "difference", "low", "high", "p", "adjusted_p",
    "d_z", "d_z_low", "d_z_high", "d", "d_low", "d_high", "g", "g_low", "g_high",
    "better", "equal", "worse", "power", "topics_needed", "note",
)  # fmt: skip


_OF_ALL = ("measure", "test", "correction")  # once for all pairs in JSON


def as_table(comparisons: Sequence[Comparison], agreement: Sequence[OrderAgreement], _seed: int | None) -> str:
    """A block a measure: what was done, means, the pairs, a conclusion; the agreement of the measures' orders last."""
    blocks = [_block(comparison) for comparison in comparisons]
    if agreement:
        lines = [
            f"  {one.first} and {one.second}: "
            f"τ-b {_signed(one.tau_b.value)}, τ-AP {_signed(one.tau_ap.value)}, RBO {one.overlap.value:.3f}"
            + (f" ({one.tau_b.note})" if one.tau_b.note else "")
            for one in agreement
        ]
        blocks.append("\n".join(["agreement of the orders of the runs", *lines]))
    return "\n\n".join(blocks) + "\n"


def as_csv(comparisons: Sequence[Comparison], _agreement: Sequence[OrderAgreement], _seed: int | None) -> str:
    """A row a pair and measure, with every digit; empty where a quantity does not exist."""
    return csv_text(COLUMNS, (row.values() for comparison in comparisons for row in rows_of(comparison)))


def as_json(comparisons: Sequence[Comparison], agreement: Sequence[OrderAgreement], seed: int | None) -> str:
    """`seed`; `measures`: one object each with test, means, conclusion and pairs; `agreement` of their orders."""
    report = {
        "seed": seed,
        "measures": [_of_measure(one) for one in comparisons],
        "agreement": [_of_orders(one) for one in agreement],
    }
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def _of_measure(c: Comparison) -> dict[str, object]:
    return {
        "measure": c.measure,
        "test": c.test,
        "correction": c.correction,
        "n_draws": c.n_draws,
        "exact": c.exact,
        "interval": c.design.interval,
        "confidence": c.design.confidence,
        "baseline": c.design.baseline,
        "threshold": c.design.threshold,
        "minimum_difference": c.design.minimum,
        "power_wanted": c.design.power,
        "n_topics": len(c.numbers),
        "mean": dict(zip(c.tags, c.mean, strict=True)),
        "apart": {"alpha": c.apart.alpha, "n_apart": c.apart.n_apart, "n_pairs": c.apart.n_pairs},
        "conclusion": list(c.conclusion),
        "pairs": [{k: v for k, v in row.items() if k not in _OF_ALL} for row in rows_of(c)],
    }


def _of_orders(one: OrderAgreement) -> dict[str, object]:
    return {
        "first": one.first,
        "second": one.second,
        "tau_b": _finite(one.tau_b.value),
        "tau_ap_b": _finite(one.tau_ap.value),
        "rbo": one.overlap.value,
        "rbo_p": one.overlap.p,
        "note": one.tau_b.note,
    }


def as_latex(comparisons: Sequence[Comparison], _agreement: Sequence[OrderAgreement], seed: int | None) -> str:
    """A `tabular` with the rules of booktabs, a block a measure; comments in front say what was done."""
    lines = [f"% {line}" for comparison in comparisons for line in (_title(comparison), *_reasons(comparison))]
    lines.append(f"% seed {seed}")
    lines += [r"\begin{tabular}{lrrrr}", r"\toprule", r"pair & difference & interval & adjusted $p$ & $d_z$ \\"]
    for comparison in comparisons:
        lines += [r"\midrule", rf"\multicolumn{{5}}{{l}}{{{latex(comparison.measure)}}} \\"]
        for pair in comparison.pairs:
            low, high = pair.interval.low, pair.interval.high
            p = shown_p(pair.adjusted).replace("<", "$<$")
            lines.append(
                f"{latex(pair.first)} $-$ {latex(pair.second)} & ${pair.interval.mean:+.4f}$ & "
                rf"$[{low:+.4f}, {high:+.4f}]$ & {p} & ${_signed(pair.effects[0].value)}$ \\"
            )
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


FORMATS: Mapping[str, Callable[..., str]] = {
    "table": as_table,
    "csv": as_csv,
    "json": as_json,
    "latex": as_latex,
}


def shown_difference(pair: Pair) -> tuple[str, str]:
    """The difference of the means and its interval, each number with its sign."""
    mean, low, high = (with_sign(value, ".4f") for value in (pair.interval.mean, pair.interval.low, pair.interval.high))
    return mean, f"{low} to {high}"


def shown_p(p: float) -> str:
    """p with the digits that mean something; never 0."""
    return f"{p:.4f}" if p >= 0.0001 else tabled_p(p, 1)


def _block(comparison: Comparison) -> str:
    head = ("first", "second", "difference", "interval", "p", "adjusted p", "d_z", "better/equal/worse")
    planned = any(pair.needed for pair in comparison.pairs)
    table = [[*head, *(("power", "topics needed") if planned else ())]]
    table += [_cells(pair, planned=planned) for pair in comparison.pairs]
    means = ", ".join(f"{tag} {mean:.4f}" for tag, mean in _best_first(comparison))
    lines = [_title(comparison), f"means: {means}", *aligned(table, n_names=2), *_reasons(comparison)]
    return "\n".join([*lines, *comparison.conclusion])


def _title(comparison: Comparison) -> str:
    draws = "exact" if comparison.exact else f"{comparison.n_draws} draws" if comparison.n_draws else ""
    test = ", ".join(filter(None, [f"{comparison.test} test", draws, f"correction {comparison.correction}"]))
    apart = f"{comparison.apart.n_apart} of {comparison.apart.n_pairs} pairs apart at {comparison.apart.alpha:g}"
    design = comparison.design
    intervals = f"{100 * design.confidence:g} % {design.interval} intervals, each for its pair alone"
    return f"{comparison.measure}: {len(comparison.numbers)} topics, {test}; {apart}; {intervals}"


def _reasons(comparison: Comparison) -> list[str]:
    """What a dash in the column of d_z stands for."""
    return [f"–: {why}" for why in dict.fromkeys(pair.effects[0].note for pair in comparison.pairs) if why]


def _note(pair: Pair) -> str:
    """Why effect sizes, or their intervals, do not exist; empty where all do."""
    names: dict[str, list[str]] = {}
    for size in pair.effects:
        names.setdefault(size.note, []).append(size.name)
    return "; ".join(f"{', '.join(alike)}: {why}" for why, alike in names.items() if why)


def _best_first(comparison: Comparison) -> list[tuple[str, float]]:
    return sorted(zip(comparison.tags, comparison.mean, strict=True), key=lambda pair: -pair[1])


def _cells(pair: Pair, *, planned: bool) -> list[str]:
    cells = [
        pair.first,
        pair.second,
        f"{pair.interval.mean:+.4f}",
        f"[{pair.interval.low:+.4f}, {pair.interval.high:+.4f}]",
        shown_p(pair.p),
        shown_p(pair.adjusted),
        _signed(pair.effects[0].value),
        f"{pair.n_better}/{pair.n_equal}/{pair.n_worse}",
    ]
    if planned:
        cells += [f"{pair.power.power:.3f}", str(pair.needed.n_topics)] if pair.power and pair.needed else ["–", "–"]
    return cells


def rows_of(comparison: Comparison) -> Iterator[dict[str, object]]:
    """A row a pair, by the names of `COLUMNS`; None where a quantity does not exist."""
    mean = dict(zip(comparison.tags, comparison.mean, strict=True))
    for pair in comparison.pairs:
        values: list[object] = [
            comparison.measure, comparison.test, comparison.correction,
            pair.first, pair.second, mean[pair.first], mean[pair.second],
            pair.interval.mean, pair.interval.low, pair.interval.high, pair.p, pair.adjusted,
            *(_finite(end) for size in pair.effects for end in (size.value, size.low, size.high)),
            pair.n_better, pair.n_equal, pair.n_worse,
            pair.power.power if pair.power else None, pair.needed.n_topics if pair.needed else None, _note(pair),
        ]  # fmt: skip
        yield dict(zip(COLUMNS, values, strict=True))


def _signed(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:+.3f}"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
