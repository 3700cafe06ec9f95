"""Vectors of a small collection, in a collection and as files."""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotation.exchange.steps.importing import publish_here, upload_here
from annotation.kernel.store import put
from annotation.models import Collection, Import
from annotation.text.watch import say_nothing
from evaluation.models import VectorSet
from tests.factories import make_document, make_topic

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Made:
    numbers: list[str]
    docnos: list[str]
    query: Vectors
    document: Vectors

    def write(self, folder: Path) -> tuple[Path, Path]:
        """The files of queries and of documents, their ids beside them."""
        for name, vector, ids in (("queries", self.query, self.numbers), ("docs", self.document, self.docnos)):
            np.save(folder / f"{name}.npy", vector)
            (folder / f"{name}.ids.txt").write_text("".join(f"{each}\n" for each in ids))
        return folder / "queries.npy", folder / "docs.npy"


def made_vectors(collection: Collection, *, n_queries: int = 3, n_documents: int = 15, dim: int = 8) -> Made:
    """With topics 1, 2 … and documents d1, d2 … in the collection; two documents have equal vectors."""
    rng = np.random.default_rng(1)
    numbers = [make_topic(collection, str(n + 1)).number for n in range(n_queries)]
    docnos = [make_document(collection, f"d{n + 1}").docno for n in range(n_documents)]
    document = rng.standard_normal((n_documents, dim)).astype(np.float32)
    document[1] = document[0]
    return Made(numbers, docnos, rng.standard_normal((n_queries, dim)).astype(np.float32), document)


def npy(vector: NDArray[np.floating]) -> bytes:
    stream = BytesIO()
    np.save(stream, vector)
    return stream.getvalue()


def lines(ids: list[str]) -> bytes:
    return "".join(f"{each}\n" for each in ids).encode()


def bring(collection: Collection, side: str, vector: Vectors, ids: list[str], **options: str) -> Import:
    """Checked, and published where there is no problem."""

    answers = {"model": "mine", "side": side, "similarity": "cosine", "unknown": "refuse", **options}
    kept = put(lines(ids))
    record = upload_here(
        collection,
        kind=Import.Kind.VECTORS,
        stream=BytesIO(npy(vector)),
        filename=f"{side}.npy",
        created_by=None,
        watch=say_nothing,
        ids=kept,
        ids_filename=f"{side}.ids.txt",
        **answers,
    )
    return record if record.n_problems else publish_here(record, actor=None, watch=say_nothing)


def bring_both(collection: Collection, some: Made, **options: str) -> tuple[VectorSet, VectorSet]:
    bring(collection, "queries", some.query, some.numbers, **options)
    bring(collection, "documents", some.document, some.docnos, **options)
    sets = VectorSet.objects.filter(collection=collection, model=options.get("model", "mine"))
    return sets.get(side="queries"), sets.get(side="documents")
