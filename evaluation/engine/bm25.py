"""Texts ranked by BM25 where there are no runs: scores by the library bm25s, words in any script as ours are found."""

import logging
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from annotation.text.words import key, strings_of, word_pattern
from evaluation.engine.arrays import Ints

K1, B = 1.2, 0.75
EVERY = 1000  # texts between two reports


def library_version() -> str:
    """Of what scores are computed with: it belongs to what a ranking is called."""
    import bm25s

    return str(bm25s.__version__)


class Bm25:
    """An index over texts, numbered in their order from 0. Memory: about 12 bytes for each different word of each text.

    Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, in the form that is never
    negative: Σ over the words of the query of log(1 + (N − n + .5) / (n + .5)) · f / (f + k1 (1 − b + b · length /
    mean length)), N texts, n of them with the word, f times in this one. A word that the query has twice counts twice.
    """

    def __init__(self, texts: Iterable[str], report: Callable[[int], None] = lambda done: None) -> None:
        """`report` is called with the number of texts read. Words of any script; none is left out as too frequent."""
        import bm25s

        logging.getLogger("bm25s").setLevel(logging.WARNING)  # which it sets to DEBUG when it is imported
        self._ids: dict[str, int] = {}  # of each word as it stands in a text, by its key
        self._columns: dict[str, int] = {}
        rows = [self._row(text, at, report) for at, text in enumerate(texts)]
        self.n_texts = len(rows)
        self._index = bm25s.BM25(k1=K1, b=B, method="lucene", dtype="float64") if self._columns else None
        if self._index:
            self._index.index((rows, self._columns), create_empty_token=False, show_progress=False)

    def top(self, query: str, depth: int) -> Ints:
        """The best `depth` texts that share a word with the query, best first; equal scores in the order of texts."""
        columns = [self._columns[word] for word in words_of(query) if word in self._columns]
        if self._index is None or not columns:
            return np.zeros(0, np.int64)
        score = self._index.get_scores_from_ids(columns)  # (n_texts,)
        at = np.flatnonzero(score > 0)
        if at.size > depth:  # only what may be among the best is sorted
            least = np.partition(score[at], at.size - depth)[at.size - depth]
            at = at[score[at] >= least]
        best: Ints = at[np.lexsort((at, -score[at]))][:depth]
        return best

    def _row(self, text: str, at: int, report: Callable[[int], None]) -> list[int]:
        if at % EVERY == 0:
            report(at)
        ids, columns = self._ids, self._columns
        row = []
        for word in _words_in(text):
            column = ids.get(word)
            if column is None:
                column = ids[word] = columns.setdefault(key(word), len(columns))
            row.append(column)
        return row


def words_of(text: str) -> list[str]:
    """What a text is matched by: words in one form, and pairs of characters of what is written without blanks."""
    return [key(word) for word in _words_in(text)]


def _words_in(text: str) -> Iterator[str]:
    yield from word_pattern().findall(text)
    if not text.isascii():
        yield from strings_of(text)
