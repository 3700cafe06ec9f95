"""Policies and their comparison as pages show them: parameters in words, a plot, where a new policy begins."""

from dataclasses import asdict
from urllib.parse import urlencode

from annotation.kernel.plots.intervals import IntervalPlot, share, share_plot
from annotation.quality.consolidation import RULE_WORDS
from annotation.quality.coverage import changes
from annotation.quality.policy import PARAMETER_WORDS
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read.comparison import ON_TRIAL, ComparedPolicy, Comparison

GOLD_WORDS = {"expert": "from the expert", "judged": "as judged", "omitted": "not at all"}


def parameters_in_words(parameters: Parameters) -> list[tuple[str, str]]:
    """One line a step."""
    return [in_words(name, value) for name, value in asdict(parameters).items()]


def in_words(name: str, value: float | str | None) -> tuple[str, str]:
    """What a parameter is, and its value as a person would write it."""
    if isinstance(value, bool):
        return PARAMETER_WORDS[name], "yes" if value else "no"
    if value is None:
        return PARAMETER_WORDS[name], "no limit"
    return PARAMETER_WORDS[name], {**GOLD_WORDS, **RULE_WORDS}.get(str(value), str(value))


def comparison_plot(comparison: Comparison) -> IntervalPlot:
    """Shares right on gold with their intervals."""
    rows = [row for row in comparison.rows if row.accuracy is not None]
    return share_plot([share(row.name, row.accuracy or 0.0, row.on_gold.low, row.on_gold.high) for row in rows])


def new_policy_query(row: ComparedPolicy) -> str:
    """A name to begin with and what differs from the default policy, as the query of an address."""
    name = row.name.removeprefix(ON_TRIAL)
    return urlencode({"name": name.rpartition(" v")[0] or name, **changes(Parameters(), row.outcome.policy)})
