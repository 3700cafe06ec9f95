"""Topic by topic: how far people agree, and how many pairs are kept."""

from dataclasses import dataclass

import numpy as np

from annotation.kernel.tables import Column, Kind, natural_order
from annotation.quality.agreement import GradeCounts, agreement_by_topic
from annotation.quality.arrays import or_none
from annotation.quality.filtering import Reason
from annotation.quality.outcome import Outcome
from annotation.quality.table import JudgmentTable


@dataclass(frozen=True)
class TopicRow:
    """Agreement on a topic's ordinary pairs, of those with at least two judgments; None where there is none."""

    number: str
    n_pairs: int
    exact: float | None
    pairwise: float | None
    n_kept: int
    n_open: int


TOPICS: tuple[Column[TopicRow], ...] = (
    Column("number", lambda topic: topic.number, Kind.ID),
    Column("compared_pairs", lambda topic: topic.n_pairs, Kind.WHOLE),
    Column("exact", lambda topic: topic.exact, Kind.NUMBER),
    Column("pairwise", lambda topic: topic.pairwise, Kind.NUMBER),
    Column("kept_pairs", lambda topic: topic.n_kept, Kind.WHOLE),
    Column("pairs", lambda topic: topic.n_open, Kind.WHOLE),
)


def topic_rows(table: JudgmentTable, outcome: Outcome, counts: GradeCounts) -> list[TopicRow]:
    n_topics = len(table.numbers)
    agreement = agreement_by_topic(counts, n_topics)
    open_pairs = outcome.reason != Reason.CHECK
    n_open = np.bincount(outcome.topic[open_pairs], minlength=n_topics)
    n_kept = np.bincount(outcome.topic[outcome.kept], minlength=n_topics)
    rows = [
        TopicRow(
            number,
            int(agreement.n_pairs[i]),
            or_none(agreement.exact[i]),
            or_none(agreement.pairwise[i]),
            int(n_kept[i]),
            int(n_open[i]),
        )
        for i, number in enumerate(table.numbers)
        if n_open[i]
    ]
    return sorted(rows, key=lambda row: natural_order(row.number))
