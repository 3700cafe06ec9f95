"""Contested pairs: which they are, all that is known of one, and how those who decide have decided."""

from annotation.review.read.adjudication.contested import ContestedOptions, awaited_pairs, contested_of, sent_pairs
from annotation.review.read.adjudication.decisions import Decision, decisions_of, figures_of, recent_decisions
from annotation.review.read.adjudication.pair import PairFile, PairJudgment, pair_file
from annotation.review.read.adjudication.queue import (
    QueueRow,
    WaitingPairs,
    waiting_for,
    waiting_pairs,
)
from annotation.review.read.adjudication.stage import PairState, pair_state, prior_knowledge, shown_document

__all__ = [
    "ContestedOptions",
    "Decision",
    "PairFile",
    "PairJudgment",
    "PairState",
    "QueueRow",
    "WaitingPairs",
    "awaited_pairs",
    "contested_of",
    "decisions_of",
    "figures_of",
    "pair_file",
    "pair_state",
    "prior_knowledge",
    "recent_decisions",
    "sent_pairs",
    "shown_document",
    "waiting_for",
    "waiting_pairs",
]
