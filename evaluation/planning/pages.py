"""What pages of experiments show: power or width by size, the same by command; estimates with their intervals."""

from dataclasses import fields
from typing import Any

from annotation.kernel.plots.curves import Curve, CurvePlot, curve_plot
from annotation.kernel.plots.intervals import Estimate as Row
from annotation.kernel.plots.intervals import interval_plot
from evaluation.engine.planning.plan import Plan, Question, power_at
from evaluation.engine.sampling.estimates import Estimate
from evaluation.planning.read import Estimates

STEPS = 8  # quarters of the planned size
OPTIONS = {"n_tests": "tests"}  # fields of a question that options call otherwise
USUAL = Question()


def size_plot(plan: Plan) -> CurvePlot | None:
    """Power, or the ± of the interval, at quarters of the planned size up to twice; None where that is too few."""
    sizes = sorted({round(plan.n * step / 4) for step in range(1, STEPS + 1)})
    if len(sizes) < STEPS or sizes[0] / plan.design_effect < 3:
        return None
    values = [power_at(plan, n) for n in sizes]
    text = ", ".join(f"{value:.3g} with {n:,}" for n, value in zip(sizes, values, strict=True))
    name = "± of the interval" if plan.question.design == "interval" else "power"
    return curve_plot([Curve(name, values, f"{name}: {text}", is_marked=True)], [f"{n:,}" for n in sizes])


def command_of(question: Question) -> str:
    """What gives the same numbers in a terminal."""
    options = ""
    for field in fields(Question)[1:]:
        value = getattr(question, field.name)
        if value is not None and value != getattr(USUAL, field.name):
            options += f" --{OPTIONS.get(field.name, field.name).replace('_', '-')} {_written(value)}"
    return f"manage.py plan_experiment {question.design}{options}"


def _written(value: float) -> str:
    """A number as people write it: 3, not 3.0."""
    return f"{value:.15g}"


def shown_estimates(estimates: Estimates) -> dict[str, Any]:
    """The best run first, by its mean over queries."""
    rows = sorted(estimates.rows, key=lambda one: (-one.queries.value, one.run))
    plots = [
        (title, interval_plot([_row(one.run, getattr(one, name)) for one in rows]))
        for name, title in (("queries", "queries"), ("traffic", "traffic"))
    ]
    notes = dict.fromkeys(each.note for one in rows for each in (one.queries, one.traffic) if each.note)
    return {"estimates": estimates, "rows": rows, "plots": plots, "notes": list(notes)}


def _row(run: str, one: Estimate) -> Row:
    """A mean whose interval is unknown is a point."""
    if one.note:
        return Row(run, one.value, None, None, f"{run}: {one.value:.4f}, interval unknown")
    return Row(run, one.value, one.low, one.high, f"{run}: {one.value:.4f} ({one.low:.4f} to {one.high:.4f})")
