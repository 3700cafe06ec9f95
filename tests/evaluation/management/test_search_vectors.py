"""The command `search_vectors`: vectors in, an ordinary run out."""

from pathlib import Path

import numpy as np
import pytest

from tests.commands import ran

QUERY = np.array([[1, 0], [1, 1]], np.float32)
DOCUMENT = np.array([[2, 0], [0, 1], [1, 1], [2, 0]], np.float32)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for side, vector, names in (("queries", QUERY, ["q2", "q10"]), ("docs", DOCUMENT, ["a", "b", "q10", "c"])):
        np.save(tmp_path / f"{side}.npy", vector)
        (tmp_path / f"{side}.ids.txt").write_text("\n".join(names) + "\n")
    return [str(tmp_path / "queries.npy"), str(tmp_path / "docs.npy")]


def rows(text: str) -> list[tuple[str, str, str, float]]:
    cells = [line.split() for line in text.splitlines()]
    return [(number, docno, rank, float(score)) for number, _, docno, rank, score, _ in cells]


def test_a_run_of_the_nearest(files: list[str]) -> None:
    ended = ran("search_vectors", *files, "--k", "3")
    assert (ended.code, ended.err) == (0, "cosine of 2 queries and 4 documents, 2 dimensions: 6 rows\n")
    half = float(np.float64(1) / np.sqrt(np.float64(2)))
    assert [(number, docno, rank) for number, docno, rank, _ in rows(ended.out)] == [
        *(("q10", "q10", "1"), ("q10", "c", "2"), ("q10", "b", "3")),
        *(("q2", "c", "1"), ("q2", "a", "2"), ("q2", "q10", "3")),
    ]
    assert [score for *_, score in rows(ended.out)] == pytest.approx([1, half, half, 1, 1, half], abs=1e-15)
    assert ended.out.splitlines()[0].endswith(" cosine")


def test_the_other_similarities_and_options(files: list[str], tmp_path: Path) -> None:
    inner = ran("search_vectors", *files, "--similarity", "inner", "--k", "1", "--tag", "mine")
    assert rows(inner.out) == [("q10", "q10", "1", 2.0), ("q2", "c", "1", 2.0)]
    assert inner.out.splitlines()[0].endswith(" mine")
    apart = ran("search_vectors", *files, "--similarity", "euclidean", "--exclude-self")
    assert rows(apart.out)[:3] == [
        ("q10", "b", "1", -1.0),
        *(("q10", name, rank, -(2**0.5)) for name, rank in (("c", "2"), ("a", "3"))),
    ]
    out = tmp_path / "out.run"
    assert ran("search_vectors", *files, "-o", str(out)).out == ""
    assert out.read_text() == ran("search_vectors", *files).out
    assert ran("search_vectors", *files, "-o", str(out)).code == 2
    assert ran("search_vectors", *files, "--json").out.startswith('{"number":"q10","docno":"q10","rank":1,"score":')


def test_what_evaluate_says_of_it(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q2 0 c 1\nq10 0 b 1\n")
    run = tmp_path / "dense.run"
    ran("search_vectors", *files, "-o", str(run))
    ended = ran("evaluate", str(tmp_path / "qrels"), str(run), "-m", "RR", "--json")
    assert '"RR"' in ended.out
    assert f"{2 / 3:.4f}"[:5] in ended.out


@pytest.mark.shared
def test_cranfield_evaluates_as_dense_minilm(shared_data: Path, tmp_path: Path) -> None:
    folder, out = shared_data / "cranfield", tmp_path / "dense.run"
    vectors = [str(folder / "embeddings" / f"{side}.f32.npy") for side in ("queries", "docs")]
    assert ran("search_vectors", *vectors, "-o", str(out)).code == 0
    runs = [str(out), str(folder / "runs" / "dense-minilm.run.gz")]
    ended = ran("evaluate", str(folder / "qrels.graded.txt"), *runs, "-m", "nDCG@10", "-m", "AP", "--format", "csv")
    ours, theirs = ([float(cell) for cell in line.split(",")[2:]] for line in ended.out.splitlines()[1:])
    assert ours == pytest.approx(theirs, abs=1e-4)


def test_refusals(files: list[str], tmp_path: Path) -> None:
    assert ran("search_vectors", files[0], str(tmp_path / "none.npy")).code == 2
    assert ran("search_vectors", *files, "--k", "0").code == 2
    assert ran("search_vectors", *files, "--tag", "a b").code == 2
    assert ran("search_vectors", *files, "--device", "cuda:99").code == 2
    np.save(files[1], np.zeros((4, 2), np.float32))
    ended = ran("search_vectors", *files, "--json")
    assert (ended.code, len(ended.error["problems"]), ended.out) == (1, 4, "")
    assert ran("search_vectors", *files, "--similarity", "inner").code == 0
    np.save(files[1], np.ones((4, 3), np.float32))
    ended = ran("search_vectors", *files)
    assert (ended.code, "not of one dimension" in ended.err) == (1, True)


def test_a_sample_of_the_queries_with_its_worth(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q2 0 c 1\nq10 0 b 1\n")
    words = ("--sample", "2", "--qrels", str(tmp_path / "qrels"), "-m", "RR")
    ended = ran("search_vectors", *files, *words)
    assert ended.out == ran("search_vectors", *files).out
    assert ended.err.splitlines()[0] == "RR 0.6667, 95 % interval [0.6667, 0.6667], from 2 of 2 queries"
    one = ran("search_vectors", *files, "--sample", "1", "--seed", "3")
    assert len({number for number, *_ in rows(one.out)}) == 1
    assert "1 of those drawn are judged" in ran("search_vectors", *files, "--sample", "1", *words[2:]).err
    assert ran("search_vectors", *files, "--sample", "0").code == 2
