import hashlib
import io
import random
from pathlib import Path

import numpy as np
import pytest

from annotation.formats.columns import BLOCK
from annotation.formats.problems import Problems
from annotation.formats.text import Text
from evaluation.engine.packed import PackedError
from evaluation.engine.run import KIND, load_run, pack_run, to_trec
from evaluation.formats.run import parse_run
from tests.evaluation.engine.made import made_run, random_case, run_text

TIED = {"9": {"a": 1.0, "b": 2.0, "B": 1.0, "aa": 1.0, "é": 1.0}, "10": {"x": 0.0, "y": -0.0}}


UNTIED = {"9": {"a": 1.0, "b": 2.0, "é": -1.5, "aa": 1.25}, "10": {"x": 0.0, "y": 3.0}, "2": {"b": 1.0}}


def packed(text: bytes) -> bytes:
    return pack_run(parse_run(io.BytesIO(text), Problems("a.run")))


def test_rows_stand_in_evaluated_order() -> None:
    run = made_run(TIED, tag="me")
    assert (run.tag, run.numbers, run.n_topics, run.n_rows, run.n_tied) == ("me", ("10", "9"), 2, 7, 6)
    assert list(run.docno) == ["y", "x", "b", "é", "aa", "a", "B"]
    assert run.score.tolist() == [0.0, 0.0, 2.0, 1.0, 1.0, 1.0, 1.0]
    assert run.is_tied(np.arange(7)).tolist() == [True, True, False, True, True, True, True]


@pytest.mark.parametrize("span", [1, 3, 100])
def test_pairs_are_found_span_by_span(span: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.engine.run.SPAN", span)
    run, wanted = made_run(TIED), [(0, "x"), (0, "z"), (0, "y"), (1, "é" * 20), (1, "é"), (1, "aa"), (1, "b")]
    docno = Text.of([name for _, name in wanted])
    assert run.find(np.array([t for t, _ in wanted]), docno, docno.key()).tolist() == [1, -1, 0, -1, 3, 4, 2]
    assert run.find(np.zeros(0, np.int64), Text.of([]), Text.of([]).key()).tolist() == []


def test_rows_of_two_topics_are_not_tied() -> None:
    run = made_run({"1": {"a": 1.0}, "2": {"b": 1.0}, "3": {"c": 1.0, "d": 1.0}})
    assert run.is_tied(np.arange(4)).tolist() == [False, False, True, True]
    assert run.is_tied(np.array([3])).tolist() == [True]


def test_tied_rows_remember_their_order_in_the_file() -> None:
    text = b"9 Q0 B 1 1 t\n1 Q0 x 1 2 t\n9 Q0 c 1 5 t\n1 Q0 y 2 2 t\n9 Q0 a 1 1 t\n9 Q0 C 1 -1 t\n9 Q0 b 1 1 t\n"
    run = load_run(packed(text))
    assert list(run.docno) == ["y", "x", "c", "b", "a", "B", "C"]
    assert run.place.tolist() == [1, 0, 4, 2, 0]


def test_equal_runs_give_equal_bytes() -> None:
    lines = run_text(UNTIED).splitlines(keepends=True)
    random.Random(5).shuffle(lines)
    assert packed(b"".join(lines)) == packed(run_text(UNTIED))
    assert packed(run_text(TIED)) == packed(run_text(TIED))
    reversed_ties = run_text({number: dict(reversed(docs.items())) for number, docs in TIED.items()})
    assert packed(reversed_ties) != packed(run_text(TIED))
    assert packed(run_text(TIED, tag="other")) != packed(run_text(TIED))
    assert packed(run_text(TIED | {"9": TIED["9"] | {"a": 1.5}})) != packed(run_text(TIED))


@pytest.mark.parametrize("docno", [b"d%d", b"document-%d", b"docume%d"])  # of one word, of two, of one or two
def test_long_topics_in_any_order_give_equal_bytes(docno: bytes) -> None:
    """More than one block of them."""
    every = [b"".join(b"%d Q0 %b 0 %d t\n" % (t, docno % i, -i) for i in range(1000)) for t in range(120)]
    assert len(b"".join(every)) > BLOCK
    assert packed(b"".join(reversed(every))) == packed(b"".join(sorted(every)))


def test_a_run_written_out_and_read_again_has_the_same_bytes() -> None:
    """Tied rows are written in evaluated order, so the second time they have it in the file too."""
    for seed in range(20):
        lines = b"".join(to_trec(load_run(packed(run_text(random_case(seed)[1])))))
        data = packed(lines)
        assert b"".join(to_trec(load_run(data))) == lines
        assert packed(b"".join(to_trec(load_run(data)))) == data
    sharp = packed(b" #1 Q0 #a 1 1 #me\n")
    assert packed(b"".join(to_trec(load_run(sharp)))) == sharp
    assert b"".join(to_trec(made_run(TIED, "me"))).splitlines()[:3] == [
        b"10 Q0 y 1 0.0 me", b"10 Q0 x 2 0.0 me", b"9 Q0 b 1 2.0 me",
    ]  # fmt: skip


def test_a_file_and_its_bytes_are_the_same_run(tmp_path: Path) -> None:
    data = packed(run_text(TIED))
    (tmp_path / "run").write_bytes(data)
    run = load_run(tmp_path / "run")
    assert b"".join(to_trec(run)) == b"".join(to_trec(load_run(data)))
    assert not run.score.flags.writeable


def test_documents_are_found_in_their_topic_only() -> None:
    run, docno = made_run(TIED), Text.of(["x", "x", "é", "b", "none"])
    assert run.find(np.array([0, 1, 1, 1, 1]), docno, docno.key()).tolist() == [1, -1, 3, 2, -1]


def test_documents_of_one_key_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.formats.text._mix", np.zeros_like)
    run, docno = made_run(TIED), Text.of(["B", "b", "aa", "z", "y"])
    assert run.find(np.array([1, 1, 1, 1, 0]), docno, docno.key()).tolist() == [6, 2, 4, -1, 0]


@pytest.mark.parametrize("cut", [0, 5, 20, 40, 150, -64, -1])
def test_a_cut_file_is_refused(cut: int) -> None:
    data = packed(run_text(TIED))
    with pytest.raises(PackedError):
        load_run(data[:cut])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (KIND.encode(), b"touchstone run 9"),
        (b'"size": 7', b'"size": 6'),
        (b'"<f8"', b'"|O8"'),
        (b'"at": 64', b'"at": -1'),
    ],
)
def test_a_damaged_header_is_refused(old: bytes, new: bytes) -> None:
    data = packed(run_text(TIED))
    assert old in data
    with pytest.raises(PackedError):
        load_run(data.replace(old, new))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").touch()
    with pytest.raises(PackedError, match=f"not a file of the kind '{KIND}'"):
        load_run(tmp_path / "run")


def test_the_kind_stands_for_these_bytes() -> None:
    """Stored runs are read by what their kind says: a change of layout without another kind would misread them."""
    digest = hashlib.sha256(packed(run_text(TIED))).hexdigest()
    assert (KIND, digest) == ("touchstone run 3", "f91d42591d3cc270ae653187500273f1710ede7880d790ffe8ffc7ebfb372dd7")
