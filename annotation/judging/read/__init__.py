"""Queries of this subject: the only place where its rows are read for others."""

from annotation.judging.read.card_documents import CardDocument, DocumentOptions, card_document, text_of
from annotation.judging.read.cards import evidence_of
from annotation.judging.read.own_results import batches_with_answers, batches_with_news
from annotation.judging.read.pauses import (
    current_exclusions,
    current_pause,
    current_pauses,
    excluded_people,
    is_excluded,
)
from annotation.judging.read.qualifying import Tried, pairs_in_order, right_by_attempt
from annotation.judging.read.remaining import waiting_batches

__all__ = [
    "CardDocument",
    "DocumentOptions",
    "Tried",
    "batches_with_answers",
    "batches_with_news",
    "card_document",
    "current_exclusions",
    "current_pause",
    "current_pauses",
    "evidence_of",
    "excluded_people",
    "is_excluded",
    "pairs_in_order",
    "right_by_attempt",
    "text_of",
    "waiting_batches",
]
