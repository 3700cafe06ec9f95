"""Two small embedding models of our own making: vectors of the demo's topics and documents, the same every time."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from touchstone.demo.content import Document, Topic
from touchstone.demo.rankers.counts import count_terms
from touchstone.demo.rankers.tfidf import unit_rows
from touchstone.demo.rankers.words import stems_of

Vectors = NDArray[np.float32]
Embed = Callable[[Sequence[str], Sequence[str]], tuple[Vectors, Vectors]]  # texts of topics, of documents

DIM, SHORT_DIM = 96, 24


def hashed(queries: Sequence[str], pages: Sequence[str]) -> tuple[Vectors, Vectors]:
    """Character trigrams, hashed into dimensions with a sign: knows nothing, and is all the worse for common endings.

    Weinberger and others, Feature hashing for large scale multitask learning, ICML 2009.
    """
    return np.stack([_hashed(text) for text in queries]), np.stack([_hashed(text) for text in pages])


def _hashed(text: str) -> Vectors:
    padded, vector = f" {' '.join(text.lower().split())} ", np.zeros(DIM, np.float32)
    for start in range(len(padded) - 2):
        code = crc32(padded[start : start + 3].encode())
        vector[code % DIM] += 1 if code >> 31 else -1
    return vector


def latent(queries: Sequence[str], pages: Sequence[str]) -> tuple[Vectors, Vectors]:
    """Latent semantic analysis of the stems: the strongest directions of tf-idf. Deerwester and others, 1990."""
    terms = count_terms(pages, stems_of)
    weight = unit_rows(terms.count, terms)
    axes = np.linalg.svd(weight, full_matrices=False)[2][:DIM].T
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    query = np.stack([unit_rows(terms.query(text), terms) for text in queries])
    return (query @ axes).astype(np.float32), (weight @ axes).astype(np.float32)


def shortened(queries: Sequence[str], pages: Sequence[str]) -> tuple[Vectors, Vectors]:
    """The first directions of `latent` alone: what one asks of a reference model is how far these may stand in."""
    query, page = latent(queries, pages)
    return query[:, :SHORT_DIM], page[:, :SHORT_DIM]


MODELS: Mapping[str, Embed] = MappingProxyType({"hashed-trigrams": hashed, "latent-stems": latent})
REFERENCE, SHORT = "latent-stems", "latent-stems-24"  # the second is only set beside the first


def embedded(model: str, topics: Sequence[Topic], documents: Sequence[Document]) -> tuple[Vectors, Vectors]:
    """`(n_topics, dim)` and `(n_documents, dim)`: title and description of topics, title and text of documents."""
    queries = [f"{topic.title} {topic.description}" for topic in topics]
    embed = shortened if model == SHORT else MODELS[model]
    return embed(queries, [f"{document.title} {document.text}" for document in documents])
