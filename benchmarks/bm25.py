"""What the built-in BM25 costs: seconds and memory of its index over made-up texts, and seconds for the topics.

    python benchmarks/bm25.py [--documents 100000] [--words 60] [--topics 50]

Words follow Zipf's law over a vocabulary of 80,000; a document has `--words` of them.
"""

import argparse
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evaluation.engine.bm25 import Bm25

VOCABULARY, BLOCK = 80_000, 2000


def texts(n: int, words: int, rng: np.random.Generator) -> Iterator[str]:
    share = 1 / np.arange(1, VOCABULARY + 1)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    names = np.array(["".join(letters[rng.integers(26, size=rng.integers(3, 10))]) for _ in range(VOCABULARY)])
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        yield from (" ".join(row) for row in rng.choice(names, size=(size, words), p=share / share.sum()))


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, default in (("documents", 100_000), ("words", 60), ("topics", 50)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    began, before = time.perf_counter(), _mebibytes()
    index = Bm25(texts(asked.documents, asked.words, np.random.default_rng(1)))
    built = time.perf_counter()
    for query in texts(asked.topics, 12, np.random.default_rng(1)):
        index.top(query, 100)
    ended = time.perf_counter()
    print(f"{asked.documents} documents of {asked.words} words, made and indexed: {built - began:.1f} s")
    print(f"{asked.topics} topics: {ended - built:.2f} s; {_mebibytes() - before:.0f} MiB at most")


def _mebibytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
