"""Contested pairs: which they are, all that is known of one, and how those who decide have decided."""

from annotation.review.read.adjudication.contested import ContestedPairs, Looking, contested_of
from annotation.review.read.adjudication.decisions import Decision, decisions_of, figures_of, recent_decisions
from annotation.review.read.adjudication.pair import PairFile, Said, pair_file
from annotation.review.read.adjudication.queue import QueueRow, WaitingPairs, held_pairs, waiting_for, waiting_pairs
from annotation.review.read.adjudication.standing import PairStanding, knowing, pair_standing, shown_document

__all__ = [
    "ContestedPairs",
    "Decision",
    "Looking",
    "PairFile",
    "PairStanding",
    "QueueRow",
    "Said",
    "WaitingPairs",
    "contested_of",
    "decisions_of",
    "figures_of",
    "held_pairs",
    "knowing",
    "pair_file",
    "pair_standing",
    "recent_decisions",
    "shown_document",
    "waiting_for",
    "waiting_pairs",
]
