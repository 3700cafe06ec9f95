"""The figures of a space as a table and as JSON: each is declared once, in the order in which people read them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from evaluation.engine.space.description import Description, Resemblance
from evaluation.formats.values import aligned

Figure: TypeAlias = int | float | bool | None


@dataclass(frozen=True)
class Line:
    key: str
    title: str
    value: Callable[[Description], Figure]


def _of_hubs(name: str) -> Callable[[Description], Figure]:
    """None where there are too few rows for hubs."""
    return lambda one: getattr(one.hubness, name, None)


LINES = (
    Line("rows", "vectors", lambda one: one.n_rows),
    Line("dim", "dimensions", lambda one: one.dim),
    Line("partition", "isotropy: λmin / mean λ", lambda one: one.isotropy.partition),
    Line("effective_dimensions", "participation ratio / dimensions", lambda one: one.isotropy.effective_dimensions),
    Line("top_10", "variance in 10 directions", lambda one: one.isotropy.top_10),
    Line("top_50", "variance in 50 directions", lambda one: one.isotropy.top_50),
    Line("mean_cosine", "mean cosine", lambda one: one.isotropy.mean_cosine),
    Line("min_max_partition", "min Z / max Z (Mu)", lambda one: one.isotropy.min_max_partition),
    Line("uniformity", "uniformity (t = 2)", lambda one: one.uniformity.value),
    Line("uniformity_error", "its standard error, if sampled", lambda one: one.uniformity.standard_error),
    Line("alignment", "alignment (α = 2), if pairs are given", lambda one: one.alignment),
    Line("dead", "dead dimensions (variance < .01)", lambda one: one.collapse.dead),
    Line("faint", "faint dimensions (variance ≤ .01 of the mean)", lambda one: one.collapse.faint),
    Line("effective_rank", "effective rank", lambda one: one.collapse.effective_rank),
    Line("stable_rank_of_sums", "(Σσ)² / Σσ²", lambda one: one.collapse.stable_rank_of_sums),
    Line("stable_rank", "stable rank ‖·‖F² / σ1²", lambda one: one.collapse.stable_rank),
    Line("collapsed", "collapsed: faint, or of low rank", lambda one: one.collapse.is_collapsed),
    Line(
        "collapsed_in_units",
        "by the rule in units: dead, or of low rank",
        lambda one: one.collapse.is_collapsed_in_units,
    ),
    Line("neighbours", "neighbours of each (k)", _of_hubs("k")),
    Line("hub_skewness", "hubness: skewness", _of_hubs("skewness")),
    Line("greatest_hub", "neighbour of so many: the most", _of_hubs("most")),
    Line("never_near", "share that is nobody's neighbour", _of_hubs("never")),
)

AGAINST = "against"  # the key of what is said of two models
AGAINST_LINES = (
    ("n_rows", "vectors that both models have"),
    ("linear_cka", "linear CKA"),
    ("neighbour_overlap", "neighbour overlap"),
)


def as_facts(description: Description, resemblance: Resemblance | None) -> dict[str, object]:
    facts: dict[str, object] = {line.key: line.value(description) for line in LINES}
    return facts if resemblance is None else {**facts, AGAINST: vars(resemblance)}


def as_table(description: Description, resemblance: Resemblance | None) -> str:
    rows = [[line.title, cell(line.value(description))] for line in LINES]
    if resemblance is not None:
        rows += [[title, cell(getattr(resemblance, key))] for key, title in AGAINST_LINES]
    return "\n".join(aligned(rows, n_names=1))


def cell(value: Figure) -> str:
    """A figure as it is printed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:z.4f}"
    return "–" if value is None else str(value)
