"""Retrieval systems for the demo: small, really different from each other, and of visibly different quality."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from touchstone.demo.content import Document, Topic
from touchstone.demo.rankers.bm25 import bm25
from touchstone.demo.rankers.dirichlet import dirichlet
from touchstone.demo.rankers.fused import fused
from touchstone.demo.rankers.latent import latent
from touchstone.demo.rankers.ranking import Ranker, run_text
from touchstone.demo.rankers.tfidf import tfidf_title
from touchstone.demo.rankers.trigrams import trigrams

RANKERS: Mapping[str, Ranker] = MappingProxyType(
    {
        "bm25": bm25,
        "dirichlet": dirichlet,
        "tfidf-title": tfidf_title,
        "latent": latent,
        "trigrams": trigrams,
        "fused": fused,
    }
)

__all__ = ["RANKERS", "Ranker", "make_runs"]


def make_runs(
    topics: Sequence[Topic], documents: Sequence[Document], *, tags: Iterable[str] = tuple(RANKERS)
) -> dict[str, bytes]:
    """The runs of the rankers, all if none is named, as TREC run text by tag. The same input gives the same bytes."""
    return {tag: run_text(tag, RANKERS[tag](topics, documents)) for tag in tags}
