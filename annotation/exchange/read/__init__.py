"""Queries of this subject: the only place where its rows are read for others."""

from annotation.exchange.read.exports import (
    JUDGMENT_FORMATS,
    QRELS_FORMATS,
    Outgoing,
    outgoing_dropped,
    outgoing_gold,
    outgoing_judgments,
    outgoing_qrels,
)
from annotation.exchange.read.imports import job_of

__all__ = [
    "JUDGMENT_FORMATS",
    "QRELS_FORMATS",
    "Outgoing",
    "job_of",
    "outgoing_dropped",
    "outgoing_gold",
    "outgoing_judgments",
    "outgoing_qrels",
]
