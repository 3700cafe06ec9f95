"""The command `describe_vectors`: the figures of a space, and of two."""

from pathlib import Path

import numpy as np
import pytest

from evaluation.engine.space.collapse import collapse
from evaluation.engine.space.description import resemble
from evaluation.engine.space.isotropy import isotropy
from evaluation.engine.space.uniformity import alignment
from evaluation.formats.space import LINES
from tests.commands import ran

VECTOR = np.random.default_rng(6).standard_normal((40, 6)).astype(np.float32)
NAMES = [f"d{n}" for n in range(40)]


def saved(folder: Path, name: str, vector: np.ndarray = VECTOR, names: list[str] = NAMES) -> str:
    np.save(folder / f"{name}.npy", vector)
    (folder / f"{name}.ids.txt").write_text("".join(f"{one}\n" for one in names))
    return str(folder / f"{name}.npy")


def test_all_figures_as_json(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text("d0 d1\n\nd2\td39\n")
    facts = ran(
        "describe_vectors", saved(tmp_path, "a"), "--pairs", str(tmp_path / "pairs"), "--k", "4", "--json"
    ).facts
    assert list(facts) == [line.key for line in LINES]
    assert (facts["rows"], facts["dim"], facts["neighbours"], facts["uniformity_error"]) == (40, 6, 4, None)
    assert facts["partition"] == isotropy(VECTOR).partition
    assert facts["effective_rank"] == collapse(VECTOR).effective_rank
    assert facts["alignment"] == alignment(VECTOR, np.array([0, 2]), np.array([1, 39]))
    assert facts["greatest_hub"] >= 4


def test_in_words_and_against_another_model(tmp_path: Path) -> None:
    other = np.tanh(VECTOR[::-1][:30, :4])
    second = saved(tmp_path, "b", other, [*NAMES[::-1][:29], "else"])
    ended = ran("describe_vectors", saved(tmp_path, "a"), "--against", second)
    assert (ended.code, ended.err) == (0, "12 ids are in one file alone and do not count\n")
    expected = resemble(VECTOR[11:], other[:29][::-1].copy(), NAMES[11:])
    lines = dict(line.rsplit(maxsplit=1) for line in ended.out.splitlines())
    assert (lines["collapsed: faint, or of low rank"], lines["alignment (α = 2), if pairs are given"]) == ("no", "–")
    assert lines["vectors that both models have"] == "29"
    assert lines["linear CKA"] == f"{expected.linear_cka:.4f}"
    assert lines["neighbour overlap"] == f"{expected.neighbour_overlap:.4f}"


def test_alignment_within_classes_and_of_queries_with_relevant_documents(tmp_path: Path) -> None:
    file, classes, qrels = saved(tmp_path, "a"), tmp_path / "classes", tmp_path / "qrels"
    classes.write_text("d0 bees\nd5 ants\nd9 bees\nd7 bees\n")
    facts = ran("describe_vectors", file, "--classes", str(classes), "--json").facts
    assert facts["alignment"] == alignment(VECTOR, np.array([0, 0, 7]), np.array([7, 9, 9]))
    queries = saved(tmp_path, "q", VECTOR[:2] + 1, ["d0", "q"])
    qrels.write_text("q 0 d3 2\nq 0 d4 0\nd0 0 d0 1\nd0 0 none 1\nelse 0 d1 1\n")
    facts = ran("describe_vectors", file, "--queries", queries, "--qrels", str(qrels), "--json").facts
    rows = np.vstack([VECTOR[:2] + 1, VECTOR])
    assert facts["alignment"] == pytest.approx(alignment(rows, np.array([0, 1]), np.array([2, 5])), rel=1e-12)
    qrels.write_text("q 0 d4 0\n")
    assert "needs a pair" in ran("describe_vectors", file, "--queries", queries, "--qrels", str(qrels)).err
    assert ran("describe_vectors", file, "--qrels", str(qrels)).code == 2
    assert ran("describe_vectors", file, "--classes", str(classes), "--pairs", str(classes)).code == 2
    classes.write_text("d0 bees\nd0 ants\nnobody bees\nd1\n")
    ended = ran("describe_vectors", file, "--classes", str(classes), "--json")
    assert [one["line"] for one in ended.error["problems"]] == [2, 3, 4]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("d0 nobody\n", "pairs:1: no vector has the id 'nobody'"),
        ("d0 d1\nd0\n", "pairs:2: two different ids are expected; there is 'd0'"),
        ("d0 d0\n", "pairs:1: two different ids are expected"),
        ("\n", "pairs: there is no pair in this file"),
    ],
)
def test_wrong_pairs_are_refused(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text(text)
    ended = ran("describe_vectors", saved(tmp_path, "a"), "--pairs", str(tmp_path / "pairs"))
    assert (ended.code, ended.out, ended.err.startswith(reason)) == (1, "", True)


@pytest.mark.parametrize("n_rows", [2, 10])
def test_of_few_vectors_all_but_hubness(n_rows: int, tmp_path: Path) -> None:
    file = saved(tmp_path, "few", VECTOR[:n_rows], NAMES[:n_rows])
    facts = ran("describe_vectors", file, "--json").facts
    assert [key for key, value in facts.items() if value is None] == [
        "uniformity_error",
        "alignment",
        "neighbours",
        "hub_skewness",
        "greatest_hub",
        "never_near",
    ]
    assert facts["effective_rank"] == collapse(VECTOR[:n_rows]).effective_rank
    ended = ran("describe_vectors", file)
    assert (ended.code, ended.err) == (0, "no hubness: the 10 nearest of each take more than 10 vectors\n")
    assert dict(line.rsplit(maxsplit=1) for line in ended.out.splitlines())["hubness: skewness"] == "–"
    assert ran("describe_vectors", file, "--k", str(n_rows - 1), "--json").facts["greatest_hub"] >= n_rows - 1


def test_refusals(tmp_path: Path) -> None:
    file = saved(tmp_path, "a")
    assert ran("describe_vectors", file, "--k", "0").code == 2
    assert ran("describe_vectors", file, "--pairs", str(tmp_path / "none")).code == 2
    assert ran("describe_vectors", file, "--against", str(tmp_path / "none.npy")).code == 2
    two = ran("describe_vectors", file, "--against", file, "--k", "40")
    assert (two.code, "more rows than 40 are needed; there are 40" in two.err) == (1, True)
    one = ran("describe_vectors", saved(tmp_path, "one", VECTOR[:1], NAMES[:1]))
    assert (one.code, "2 rows at least are needed" in one.err) == (1, True)
    zero = saved(tmp_path, "z", VECTOR * (np.arange(40) > 0)[:, None])
    assert "z.npy:1: the vector is zero" in ran("describe_vectors", zero).err
