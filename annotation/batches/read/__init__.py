"""Queries of this subject: the only place where its rows are read for others."""

from annotation.batches.read.batches import (
    MS_AN_HOUR,
    SHARED,
    BatchRow,
    PersonProgress,
    TopicProgress,
    annotators_of,
    batch_row,
    batch_rows,
    cost_of_judgment,
    machines_in,
    person_progress,
    topic_progress,
)
from annotation.batches.read.finished import finished_batches
from annotation.batches.read.overlap import rule_of

__all__ = [
    "MS_AN_HOUR",
    "SHARED",
    "BatchRow",
    "PersonProgress",
    "TopicProgress",
    "annotators_of",
    "batch_row",
    "batch_rows",
    "cost_of_judgment",
    "finished_batches",
    "machines_in",
    "person_progress",
    "rule_of",
    "topic_progress",
]
