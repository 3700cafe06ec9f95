"""The topics of a batch: how far each is, how far people agree on it, what they could not judge."""

from dataclasses import dataclass

from annotation.batches.read.batches import TopicProgress, topic_progress
from annotation.health.read.inputs import BatchData
from annotation.models import Batch
from annotation.quality.agreement import agreement_by_topic, counts_of_votes
from annotation.quality.arrays import Ints, or_none
from annotation.quality.votes import votes_of_rows


@dataclass(frozen=True)
class TopicHealth(TopicProgress):
    """`pairwise`: share of couples of judgments on a pair that are the same; None where no pair has two."""

    n_met: int
    n_cannot: int
    n_compared: int
    pairwise: float | None


def topic_rows(batch: Batch, data: BatchData, row: Ints, met: dict[str, tuple[int, int]]) -> list[TopicHealth]:
    """`row`: the rows of the table that agreement is measured on. Two queries."""
    table = data.inputs.table
    votes, key = votes_of_rows(table, row)
    counts = counts_of_votes(votes, data.inputs.scale, table.split_key(key)[0])
    agreed = agreement_by_topic(counts, len(table.numbers))
    index_by_number = {number: i for i, number in enumerate(table.numbers)}
    rows = []
    for topic in topic_progress(batch):
        i, (n_met, n_cannot) = index_by_number[topic.number], met.get(topic.number, (0, 0))
        rows.append(
            TopicHealth(
                **vars(topic),
                n_met=n_met,
                n_cannot=n_cannot,
                n_compared=int(agreed.n_pairs[i]),
                pairwise=or_none(agreed.pairwise[i]),
            )
        )
    return rows
