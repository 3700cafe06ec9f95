"""Every run of the shared data goes in as what it is. Counts: its README."""

from pathlib import Path

import pytest

from annotation.formats.file_formats import recognise_format
from annotation.formats.problems import Problems
from evaluation.formats.run import FORMATS

pytestmark = pytest.mark.shared


@pytest.mark.parametrize(
    ("name", "n_rows", "n_topics", "tag"),
    [
        ("cranfield/runs/bm25-k0.9-b0.4-stem.run.gz", 200_762, 225, "bm25-k0.9-b0.4-stem"),
        ("cranfield/runs/bm25-k1.2-b0.75-stem.run.gz", 200_762, 225, "bm25-k1.2-b0.75-stem"),
        ("cranfield/runs/bm25-robertson-nostem-nostop.run.gz", 178_780, 225, "bm25-robertson-nostem-nostop"),
        ("cranfield/runs/bm25-title-only.run.gz", 76_056, 225, "bm25-title-only"),
        ("cranfield/runs/dense-minilm.run.gz", 225_000, 225, "dense-minilm"),
        ("cranfield/runs/lsa-200.run.gz", 225_000, 225, "lsa-200"),
        ("cranfield/runs/ql-dirichlet-mu500-porter.run.gz", 224_933, 225, "ql-dirichlet-mu500-porter"),
        ("cranfield/runs/rrf-bm25-dense.run.gz", 225_000, 225, "rrf-bm25-dense"),
        ("cranfield/runs/tfidf-cosine.run.gz", 158_970, 225, "tfidf-cosine"),
        ("robust03/runs/MU03rob01.run.gz", 100_000, 100, "MU03rob01"),
        ("robust03/runs/NLPR03vb10.run.gz", 1_004, 100, "NLPR03vb10"),
        ("robust03/runs/humR03dc.run.gz", 10_000, 100, "humR03dc"),
        ("robust03/runs/rutcor03100.run.gz", 100_000, 100, "rutcor03100"),
        ("robust03/runs/uic0301.run.gz", 99_969, 100, "uic0301"),
        ("trec_eval/results.test", 1_500, 3, "STANDARD"),
        ("trec_eval/results.trunc", 584, 2, "STANDARD"),
    ],
)
def test_runs(shared_data: Path, name: str, n_rows: int, n_topics: int, tag: str) -> None:
    problems = Problems(name)
    with (shared_data / name).open("rb") as stream:
        form, _ = recognise_format(FORMATS, stream, problems)
        table = form.read(stream, problems, {})
    assert (form.name, len(table), len(table.numbers), table.tag) == ("trec", n_rows, n_topics, tag)
