"""Latent semantic analysis: documents without a word of the query may still lie near it. Deerwester et al., 1990."""

from collections.abc import Sequence

import numpy as np

from touchstone.demo.content import Document, Topic
from touchstone.demo.rankers.counts import count_terms
from touchstone.demo.rankers.ranking import Ranking, ranked
from touchstone.demo.rankers.tfidf import unit_rows
from touchstone.demo.rankers.words import stems_of


def latent(topics: Sequence[Topic], documents: Sequence[Document], *, dim: int = 60) -> Ranking:
    """Title and description, folded into the space of the `dim` strongest directions; the score is the cosine there."""
    terms = count_terms([f"{document.title} {document.text}" for document in documents], stems_of)
    _, _, directions = np.linalg.svd(unit_rows(terms.count, terms), full_matrices=False)
    axes = directions[:dim].T  # (n_terms, dim)
    places = unit_rows(terms.count, terms) @ axes  # (n_documents, dim)
    places /= np.maximum(np.linalg.norm(places, axis=1, keepdims=True), 1e-12)  # a document without text lies at 0
    docnos = [document.docno for document in documents]
    ranking = {}
    for topic in topics:
        query = unit_rows(terms.query(f"{topic.title} {topic.description}"), terms) @ axes
        ranking[topic.number] = ranked(docnos, places @ query)
    return ranking
