"""The command `compare_embeddings`: models beside a reference, or beside target similarities."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from evaluation.engine.reference.comparison import Plan, compare_with_reference
from evaluation.engine.reference.models import Model
from evaluation.engine.reference.targets import compare_with_targets
from tests.commands import ran

NAMES = [f"d{n}" for n in range(50)]


def vectors(seed: int) -> np.ndarray:
    base, own = np.random.default_rng(1), np.random.default_rng(seed)
    return (base.standard_normal((50, 6)) + seed / 3 * own.standard_normal((50, 6))).astype(np.float32)


def saved(path: Path, vector: np.ndarray, names: list[str] = NAMES) -> str:
    np.save(path, vector)
    path.with_suffix(".ids.txt").write_text("".join(f"{one}\n" for one in names))
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [saved(tmp_path / f"{name}.npy", vectors(seed)) for seed, name in enumerate(["large", "small", "tiny"])]


def test_the_same_numbers_in_words_as_json_and_as_csv(files: list[str], tmp_path: Path) -> None:
    words = (*files, "--queries", "20", "--k", "1", "5", "--documents", "30", "--seed", "7")
    ended = ran("compare_embeddings", *words, "--out", str(tmp_path / "out"))
    facts = ran("compare_embeddings", *words, "--json").facts
    models = [Model(name, vectors(seed), NAMES) for seed, name in enumerate(["large", "small", "tiny"])]
    result = compare_with_reference(models[0], models[1:], Plan(20, (1, 5), 30), rng=np.random.default_rng(7))
    assert (ended.code, ended.err, facts["reference"], facts["n_queries"]) == (0, "", "large", 20)
    for one, values in zip(facts["models"], result.models, strict=True):
        assert [row["mean"] for row in one["measures"]] == values.mean.tolist()
        assert [row["deviation"] for row in one["measures"]] == pytest.approx(values.deviation.tolist(), rel=1e-12)
        text = (tmp_path / "out" / f"{one['model']}.csv").read_text()
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [(row["measure"], row["k"]) for row in rows][:6:5] == [("R", "1"), ("R", "5")]
        assert [float(row["mean"]) for row in rows] == values.mean.tolist()
        assert all(float(row["low"]) <= float(row["mean"]) <= float(row["high"]) for row in rows)
    lines = ended.out.splitlines()
    assert lines[0].split() == ["model", "k", "R", "nDCG", "RR", "AP(of='found')", "RBO"]
    mean, deviation = result.models[0].mean[0], result.models[0].deviation[0]
    assert lines[1].split()[:5] == ["small", "1", f"{mean:.4f}", "±", f"{deviation:.4f}"]
    assert (tmp_path / "out" / "metrics_vs_k.png").read_bytes().startswith(b"\x89PNG")
    assert {one["measure"] for one in facts["tests"]} == {
        *("R@5", "nDCG@5", "RR@5", "AP(of='found')@5", "RBO@5", "Spearman", "Kendall", "MAE")
    }


def test_folders_of_queries_and_documents(tmp_path: Path) -> None:
    for seed, name in enumerate(["large", "small"]):
        (tmp_path / name).mkdir()
        saved(tmp_path / name / "docs.npy", vectors(seed))
        saved(tmp_path / name / "queries.npy", vectors(seed)[:9] + 1, NAMES[:9])
    folders = [str(tmp_path / name) for name in ("large", "small")]
    ended = ran("compare_embeddings", *folders, "--k", "3", "--json")
    assert (ended.facts["reference"], ended.facts["n_queries"], ended.facts["tests"]) == ("large", 9, [])
    (tmp_path / "small" / "queries.npy").unlink()
    assert "one file of vectors of queries is expected" in ran("compare_embeddings", *folders).err


def test_pairs_with_target_similarities(files: list[str], tmp_path: Path) -> None:
    pairs, target = tmp_path / "pairs", np.linspace(-1, 1, 40)
    pairs.write_text("".join(f"d{n} d{n + 1} {value!r}\n" for n, value in enumerate(target.tolist())))
    ended = ran("compare_embeddings", *files, "--pairs", str(pairs), "--json")
    models = [Model(name, vectors(seed), NAMES) for seed, name in enumerate(["large", "small", "tiny"])]
    rows = (np.arange(40), np.arange(1, 41))
    expected = compare_with_targets(models, [rows] * 3, target, "cosine", seed=42)
    means = [[row["mean"] for row in one["measures"]] for one in ended.facts["models"]]
    assert means == [one.mean.tolist() for one in expected.models]
    assert len(ended.facts["tests"]) == 3
    pairs.write_text("d1 d2 0.5\nd1 nobody 1\nd1 d2 nan\nd1 d2\n")
    ended = ran("compare_embeddings", *files, "--pairs", str(pairs), "--json")
    assert (ended.code, [one["line"] for one in ended.error["problems"]]) == (1, [2, 3, 4])


def test_refusals(files: list[str], tmp_path: Path) -> None:
    assert ran("compare_embeddings", *files, "--seed", "-1").code == 2
    assert ran("compare_embeddings", *files, "--queries", "0").code == 2
    assert ran("compare_embeddings", *files, "--pairs", files[0], "--out", str(tmp_path)).code == 2
    assert "called alike" in ran("compare_embeddings", *files, files[0]).err
    few = ran("compare_embeddings", *files, "--k", "50")
    assert (few.code, "share 49 documents" in few.err) == (1, True)
    other = saved(tmp_path / "other.npy", vectors(1), [f"e{n}" for n in range(50)])
    assert "share no document" in ran("compare_embeddings", files[0], other).err
