"""What a search has retrieved, as an ordinary run."""

import numpy as np

from annotation.formats.text import Text
from evaluation.engine.arrays import Ints
from evaluation.engine.run import RunPart, RunTable
from evaluation.engine.vectors.search import Nearest


def run_of(nearest: Nearest, numbers: list[str], docno: list[str], tag: str) -> RunTable:
    """`numbers` names the queries, `docno` the documents. A query that has retrieved nothing is not in the run."""
    order = np.array(sorted(range(len(numbers)), key=numbers.__getitem__), np.int64)
    there = nearest.document[order] >= 0  # (n_queries, k)
    length = there.sum(1).astype(np.int64)
    order, length = order[length > 0], length[length > 0]
    there = nearest.document[order] >= 0
    names = Text.of([docno[row] for row in nearest.document[order][there]])
    group = np.arange(len(order), dtype=np.int32)
    part = RunPart(group, length, names, nearest.score[order][there])
    return RunTable(tag, tuple(numbers[row] for row in order), (part,))


def own_documents(numbers: list[str], docno: list[str]) -> Ints:
    """The document that has the id of each query, −1 where there is none. (n_queries,)"""
    row = {name: at for at, name in enumerate(docno)}
    return np.array([row.get(number, -1) for number in numbers], np.int64)
