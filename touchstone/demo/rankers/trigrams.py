"""Overlap of character trigrams by the coefficient of Dice (1945): no words, no stemming, no weights."""

from collections.abc import Sequence

import numpy as np

from touchstone.demo.content import Document, Topic
from touchstone.demo.rankers.ranking import Ranking, ranked


def trigrams(topics: Sequence[Topic], documents: Sequence[Document]) -> Ranking:
    """The topic's title against the title and first sentence of the document: 2·|A ∩ B| / (|A| + |B|)."""
    docnos = [document.docno for document in documents]
    pages = [_pieces(f"{document.title}. {document.text.partition('.')[0]}") for document in documents]
    return {
        topic.number: ranked(docnos, np.array([_dice(_pieces(topic.title), page) for page in pages]))
        for topic in topics
    }


def _pieces(text: str) -> frozenset[str]:
    padded = f" {' '.join(text.lower().split())} "
    return frozenset(padded[start : start + 3] for start in range(len(padded) - 2))


def _dice(first: frozenset[str], second: frozenset[str]) -> float:
    return 2 * len(first & second) / (len(first) + len(second))
