"""Whether the folder of a snapshot loads with `datasets`, `mlcroissant` and, where it is installed, MTEB.

    .venv/bin/python benchmarks/dataset_folder.py
    .venv-mteb/bin/python benchmarks/dataset_folder.py

Writes a small folder, reads it with each that is installed and compares what they give, row by row. A test runs it
(tests/annotation/formats/test_dataset_packages.py); the second environment is that of `make mteb`.
"""

import io
import sys
import tempfile
import time
import zipfile
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotation.formats.beir_export import Entry, Query
from annotation.formats.citation import Cited
from annotation.formats.dataset_export import Source, dataset_zip
from annotation.formats.lineage import Ancestor

PAIRS = [("1", "007", 3), ("1", "d2", 0), ("2", "d3", 1), ("2", "007", -1)]
QUERIES = [Query("1", "how do bees dance", "", ""), Query("2", 'what is "the" waggle', "", "")]
CORPUS = [Entry("007", "Bees", "They dance.\nAnd hum.", {}), Entry("d2", "", "Nothing", {}), Entry("d3", "Ü", "…", {})]
CITED = Cited(
    slug="bees", collection="Bees & wasps", snapshot="first", date="2026-11-27", n_topics=2, n_pairs=4,
    policy="default v1", qrels_sha256="a" * 64,
    lineage=(Ancestor(what="Batch", name="one", says="judged here", is_source=True),),
)  # fmt: skip
SOURCE = Source(
    cited=CITED, description="What bees do.", language="en", pairs=lambda: PAIRS, queries=lambda: QUERIES,
    corpus=lambda: CORPUS,
)  # fmt: skip
EXPECTED = {
    "default": [{"query-id": n, "corpus-id": d, "score": grade} for n, d, grade in PAIRS if grade >= 0],
    "queries": [{"_id": one.number, "text": one.title} for one in QUERIES],
    "corpus": [{"_id": one.docno, "title": one.title, "text": one.text} for one in CORPUS],
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(b"".join(dataset_zip(SOURCE)))) as archive:
            archive.extractall(folder)
        for name, check in (("datasets", with_datasets), ("mlcroissant", with_mlcroissant), ("mteb", with_mteb)):
            if find_spec(name) is None:
                print(f"{name}: not installed")
                continue
            begun = time.perf_counter()
            check(Path(folder))
            print(f"{name}: as expected, {time.perf_counter() - begun:.1f} s")


def with_datasets(folder: Path) -> None:
    import datasets  # type: ignore[import-untyped,unused-ignore]

    cache = str(folder / "cache")
    for config, rows in EXPECTED.items():
        (split,) = datasets.load_dataset(str(folder), config, cache_dir=cache).values()
        assert [dict(row) for row in split] == rows, config


def with_mlcroissant(folder: Path) -> None:
    import mlcroissant  # type: ignore[import-untyped,unused-ignore]

    datasheet = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert not datasheet.metadata.ctx.issues.errors
    for name, rows in (
        ("qrels", EXPECTED["default"]),
        ("queries", EXPECTED["queries"]),
        ("corpus", EXPECTED["corpus"]),
    ):
        records = [
            {key.partition("/")[2]: value.decode() if isinstance(value, bytes) else value for key, value in row.items()}
            for row in datasheet.records(name)
        ]
        assert records == rows, (records, rows)


def with_mteb(folder: Path) -> None:
    from mteb.abstasks.retrieval_dataset_loaders import (  # type: ignore[import-not-found,unused-ignore]
        RetrievalDatasetLoader,
    )

    loaded = RetrievalDatasetLoader(hf_repo=str(folder), revision=None, trust_remote_code=False, split="test").load()
    assert {n: dict(pairs) for n, pairs in loaded["relevant_docs"].items()} == {
        "1": {"007": 3, "d2": 0},
        "2": {"d3": 1},
    }
    assert {row["id"]: row["text"] for row in loaded["queries"]} == {one.number: one.title for one in QUERIES}
    assert {row["id"]: row["text"] for row in loaded["corpus"]} == {one.docno: one.text for one in CORPUS}


if __name__ == "__main__":
    main()
