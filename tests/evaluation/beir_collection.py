"""A collection in BEIR's form with vectors beside it, of our own writing."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

N_QUERIES, N_DOCUMENTS, DIM = 40, 300, 16


@dataclass(frozen=True)
class Side:
    names: list[str]
    vector: np.ndarray


def write_collection(folder: Path) -> tuple[Side, Side, dict[str, dict[str, int]]]:
    """`(queries, documents, grades)`; they are written as corpus.jsonl, queries.jsonl, qrels/test.tsv, and vectors with
    their ids.

    Grades are 1 and 2; half of the queries have the id of a document, which is another text.
    """
    rng = np.random.default_rng(11)
    document = rng.standard_normal((N_DOCUMENTS, DIM)).astype(np.float32)
    query = (document[:N_QUERIES] + rng.standard_normal((N_QUERIES, DIM))).astype(np.float32)
    queries = Side([f"{n}" for n in range(N_QUERIES)], query)
    documents = Side([f"{n}" for n in range(20, 20 + N_DOCUMENTS)], document)
    for name, file, side in (("queries", "queries.jsonl", queries), ("docs", "corpus.jsonl", documents)):
        np.save(folder / f"{name}.npy", side.vector)
        (folder / f"{name}.ids.txt").write_text("".join(f"{one}\n" for one in side.names))
        lines = [json.dumps({"_id": one, "text": f"{name} {one} as written"}) for one in side.names]
        (folder / file).write_text("\n".join(lines) + "\n")
    grades = _drawn(queries, documents, rng)
    rows = [f"{number}\t{name}\t{grade}" for number, each in grades.items() for name, grade in each.items()]
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]) + "\n")
    return queries, documents, grades


def _drawn(queries: Side, documents: Side, rng: np.random.Generator) -> dict[str, dict[str, int]]:
    """Some of the nearest documents, and some of all."""
    near = np.argsort(-(queries.vector @ documents.vector.T), axis=1)
    grades = dict[str, dict[str, int]]()
    for row, number in enumerate(queries.names):
        places = {*near[row, rng.integers(0, 30, 6)].tolist(), *rng.integers(0, N_DOCUMENTS, 3).tolist()}
        names = [documents.names[place] for place in sorted(places)]
        grades[number] = {name: int(rng.integers(1, 3)) for name in names if name != number}
    return grades
