"""How often each term occurs in each document: what all but one of the rankers start from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from touchstone.demo.rankers.ranking import Scores

Split = Callable[[str], list[str]]


@dataclass(frozen=True)
class TermCounts:
    """Counts of terms in documents, and the split by which they were made."""

    column: dict[str, int]
    count: Scores  # (n_documents, n_terms)
    split: Split

    def query(self, text: str) -> Scores:
        """Counts of a query's terms, shape (n_terms,). Terms that no document has are left out."""
        count = np.zeros(len(self.column))
        for term in self.split(text):
            if term in self.column:
                count[self.column[term]] += 1
        return count

    @property
    def holders(self) -> Scores:
        """The number of documents that have a term, shape (n_terms,)."""
        holders: Scores = (self.count > 0).sum(axis=0, dtype=np.float64)
        return holders


def count_terms(texts: Sequence[str], split: Split) -> TermCounts:
    """Counts for the texts, in their order; the terms in alphabetical order."""
    rows = [split(text) for text in texts]
    column = {term: index for index, term in enumerate(sorted({term for row in rows for term in row}))}
    count = np.zeros((len(rows), len(column)))
    for index, row in enumerate(rows):
        np.add.at(count[index], [column[term] for term in row], 1)
    return TermCounts(column, count, split)
