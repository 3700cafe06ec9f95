"""What the page of one run shows of it beside the others."""

from collections.abc import Sequence

from django.urls import reverse

from annotation.kernel.plots.curves import Curve, CurvePlot, curve_plot
from annotation.kernel.plots.intervals import Estimate, IntervalPlot, interval_plot
from annotation.kernel.tables import natural_order
from evaluation.engine.one_run import LEVELS
from evaluation.leaderboard.read.topics import TopicAgainst
from evaluation.models import Evaluation

DRAWN, NAMED = 50, 5  # topics of the plot, and of a sentence
KEYS = {
    "value": lambda row: row.value,
    "median": lambda row: row.median,
    "best": lambda row: row.best,
    "difference": lambda row: row.difference,
    "topic": lambda row: natural_order(row.number),
}


def sorted_topics(topics: Sequence[TopicAgainst], sort: str) -> list[TopicAgainst]:
    """By a key of `KEYS`, descending with `-` in front; hardest first for anything else."""
    key = sort.removeprefix("-")
    if key not in KEYS:
        return list(topics)
    return sorted(topics, key=KEYS[key], reverse=sort.startswith("-"))


def against_plot(topics: Sequence[TopicAgainst], measure: str, evaluation: Evaluation, slug: str) -> IntervalPlot:
    """The hardest topics: the span from the median to the best run; this run as a dot, a link to its ranking."""
    return interval_plot(
        [
            Estimate(
                row.number,
                row.value,
                row.median,
                row.best,
                f"{row.number}: {measure} {row.value:.4f}, median run {row.median:.4f}, best run {row.best:.4f}",
                href=reverse("evaluation_topic", args=[slug, evaluation.pk, row.number]),
            )
            for row in topics[:DRAWN]
        ]
    )


def hardest_words(topics: Sequence[TopicAgainst], measure: str) -> str:
    """Of topics that come hardest first."""
    named = ", ".join(f"{row.number} ({row.median:.4f})" for row in topics[:NAMED])
    return f"Hardest for the median run by {measure}: {named}." if len(topics) > NAMED else ""


def recall_plot(tag: str, precisions: Sequence[float]) -> CurvePlot:
    text = ", ".join(f"{value:.4f} at {level}" for level, value in zip(LEVELS, precisions, strict=True))
    return curve_plot([Curve(tag, precisions, f"{tag}: precision {text}", is_marked=True)], LEVELS)
