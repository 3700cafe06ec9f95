"""Vectors from files of every form, and every row that is refused."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch
from safetensors.numpy import save_file

from annotation.formats.problems import FormatError
from evaluation.formats import parquet_process
from evaluation.formats.vectors.reading import read_vectors

DAMAGED = "not a Parquet file that can be read: it is damaged, or needs more memory than it may use"
NAMES = ["q1", "q2", "q3"]
VECTOR = np.array([[1, 2], [0.5, -4], [3, 0.25]], np.float32)


def npy(folder: Path, vector: np.ndarray = VECTOR, names: list[str] | None = NAMES) -> Path:
    np.save(folder / "docs.f32.npy", vector)
    if names is not None:
        (folder / "docs.ids.txt").write_text("".join(f"{name}\n" for name in names))
    return folder / "docs.f32.npy"


def tensors(folder: Path) -> Path:
    save_file({"embeddings": VECTOR}, folder / "docs.safetensors", {"made": "here"})
    (folder / "docs.ids.txt").write_text("q1\nq2\nq3\n")
    return folder / "docs.safetensors"


def columns(folder: Path, vector: np.ndarray = VECTOR) -> Path:
    table = {"docno": NAMES[: len(vector)], "embedding": [row.tolist() for row in vector]}
    pl.DataFrame(table).write_parquet(folder / "docs.parquet")
    return folder / "docs.parquet"


def objects(folder: Path, *rows: object) -> Path:
    lines = rows or [{"_id": name, "vector": row.tolist()} for name, row in zip(NAMES, VECTOR, strict=True)]
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    (folder / "docs.jsonl").write_text(text)
    return folder / "docs.jsonl"


def refused(path: Path, ids: Path | None = None, *, zero_rows: bool = True) -> list[str]:
    with pytest.raises(FormatError) as fault:
        read_vectors(path, ids, zero_rows=zero_rows)
    return [str(each) for each in fault.value.problems]


@pytest.mark.parametrize("write", [npy, tensors, columns, objects])
def test_every_form_gives_the_same_table(write: Callable[[Path], Path], tmp_path: Path) -> None:
    table = read_vectors(write(tmp_path))
    assert (table.ids, str(table.vector.dtype), table.vector.tolist()) == (NAMES, "float32", VECTOR.tolist())


@pytest.mark.parametrize("kind", ["<f2", "<f4", "<f8"])
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_types_and_versions_of_npy(kind: str, version: tuple[int, int], tmp_path: Path) -> None:
    path = npy(tmp_path)
    with path.open("wb") as stream:
        np.lib.format.write_array(stream, (VECTOR / 3).astype(kind), version=version)
    table = read_vectors(path)
    assert table.vector.tolist() == (VECTOR / 3).astype(kind).astype(np.float32).tolist()


def test_safetensors_of_torch(tmp_path: Path) -> None:
    from safetensors.torch import save_file as save

    save({"x": torch.from_numpy(VECTOR).half()}, tensors(tmp_path))
    assert read_vectors(tmp_path / "docs.safetensors").vector.tolist() == VECTOR.tolist()


def header(text: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x93NUMPY\x09\x00", "not a .npy of version"),
        (header("{'descr': '|O', 'fortran_order': False, 'shape': (3, 2)}"), "numbers of type '|O'"),
        (header("{'descr': '>f4', 'fortran_order': False, 'shape': (3, 2)}"), "numbers of type '>f4'"),
        (header("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2)}"), "columns lie one after the other"),
        (header("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}"), "the shape is '(3,)'"),
        (header("{'descr': '<f4', 'fortran_order': False, 'shape': (3, -2)}"), "the shape is"),
        (header("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 0)}"), "vectors of 0 dimensions"),
        (
            header("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}") + b"\0" * 23,
            "make 91 bytes; the file has 90",
        ),
        (header("__import__('os').getcwd()"), "the header does not name exactly"),
        (header("{'descr': '<f4'}"), "the header does not name exactly"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "the header has 4294967295 bytes"),
        (header("{'descr': '<f4', 'fortran_order': False}")[:-9], "the header has 40 bytes, and the file ends before"),
        (header("{[]: 1}"), "the header does not name exactly"),
        (header("{'descr': '|O', 'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}"), "does not name exactly"),
        (header("{'descr': '<f4', 'fortran_order': 0, 'shape': (3, 2)}"), "fortran_order is neither True nor False"),
        (header("{'descr': '<f4', 'fortran_order': False, 'shape': (%s, 2)}" % ("9" * 3000)), "the shape is '(9999"),
        (header("{'descr': '<f4', 'fortran_order': False, 'shape': (0x%s, 2)}" % ("f" * 4000)), "larger than any file"),
        ((99).to_bytes(8, "little") + b"{not json", "the header has 99 bytes, and the file ends before"),
        ((9).to_bytes(8, "little") + b"{not json", "the header is not that of a .safetensors"),
        (b"hello", "not recognised as any of"),
        (b"", "there is nothing in this file"),
        (b"PAR1 and no more", "not a Parquet file"),
    ],
)
def test_damaged_files_are_refused(content: bytes, reason: str, tmp_path: Path) -> None:
    path = npy(tmp_path)
    path.write_bytes(content)
    (line,) = refused(path)
    assert reason in line


@pytest.mark.parametrize("write", [npy, tensors])
@pytest.mark.parametrize("by", [-1, 1, 8])
def test_a_file_of_another_size_than_its_header_says_is_refused(
    write: Callable[[Path], Path], by: int, tmp_path: Path
) -> None:
    path = write(tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[:by] if by < 0 else content + b"\0" * by)
    (line,) = refused(path)
    assert line.endswith(f"make {len(content)} bytes; the file has {len(content) + by}")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ({"a": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}, "b": {}}, "not that of a .safetensors"),
        ({name: {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]} for name in "ab"}, "2 tensors ('a, b')"),
        ({"a": {"dtype": "I64", "shape": [1, 1], "data_offsets": [0, 8]}}, "numbers of type 'I64'"),
        ({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}, "the shape is '[2]'"),
        (
            {"a": {"dtype": "F32", "shape": [1, 2], "data_offsets": [4, 12]}},
            "data_offsets are 4 and 12; 0 and 8 are expected",
        ),
        ({"a": {"dtype": "F32", "shape": [1, -2], "data_offsets": [0, 8]}}, "not that of a .safetensors"),
        ({"a": {"dtype": ["F32"], "shape": [1, 2], "data_offsets": [0, 8]}}, "numbers of type"),
        ({"a": {"dtype": "F32", "shape": [10**30, 2], "data_offsets": [0, 8]}}, "not that of a .safetensors"),
        ({"a": {"dtype": "F32", "shape": [1, 0], "data_offsets": [0, 0]}}, "vectors of 0 dimensions"),
        ({"a": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}, "__metadata__": "x"}, "not that of a"),
        ({"a": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}, "__metadata__": {"x": 1}}, "not that of a"),
    ],
)
def test_other_tensors_are_refused(header: dict[str, object], reason: str, tmp_path: Path) -> None:
    text, path = json.dumps(header).encode(), tmp_path / "docs.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"\0" * 8)
    (line,) = refused(path)
    assert reason in line


def test_a_tensor_twice_is_refused_and_a_length_like_a_brace_is_no_jsonl(tmp_path: Path) -> None:
    path, one = tensors(tmp_path), '"a": {"dtype": "F32", "shape": [3, 2], "data_offsets": [0, 24]}'
    for text in (f"{{{one}, {one}}}", f"{{{one}}}".ljust(ord("{"))):  # the second is as long as "{" is a number
        path.write_bytes(len(text).to_bytes(8, "little") + text.encode() + VECTOR.tobytes())
        if text.count(one) > 1:
            assert refused(path) == ["docs.safetensors: the header is not that of a .safetensors"]
    assert read_vectors(path).vector.tolist() == VECTOR.tolist()


def test_rows_are_refused_by_number(tmp_path: Path) -> None:
    bad = VECTOR.copy()
    bad[0, 1], bad[2, 0] = np.nan, -np.inf
    assert refused(npy(tmp_path, bad)) == [
        "docs.f32.npy:1: number 2 of the vector is not a number",
        "docs.f32.npy:3: number 1 of the vector is infinite in float32",
    ]
    large = np.array([[1.0, 1e300]])
    assert refused(npy(tmp_path, large, ["a"])) == ["docs.f32.npy:1: number 2 of the vector is infinite in float32"]


def test_zero_rows_are_refused_where_there_is_no_cosine(tmp_path: Path) -> None:
    path = npy(tmp_path, VECTOR * [[1], [0], [1]])
    assert len(read_vectors(path).vector) == 3
    assert refused(path, zero_rows=False) == ["docs.f32.npy:2: the vector is zero: it has no cosine with any other"]


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        (["a", "b", "a"], ["docs.ids.txt:3: the id 'a' stands in row 1 already"]),
        (["a", "", "c"], ["docs.ids.txt:2: the id is empty"]),
        (["a", "b c", "c"], ["docs.ids.txt:2: the id 'b c' contains white space"]),
        (["a", "b"], ["docs.ids.txt: 2 ids for 3 vectors"]),
        (None, ["docs.f32.npy: no file of ids: docs.f32.ids.txt or docs.ids.txt is expected, an id a line"]),
    ],
)
def test_ids_are_refused(names: list[str] | None, lines: list[str], tmp_path: Path) -> None:
    assert refused(npy(tmp_path, VECTOR, names)) == lines


def test_ids_of_a_named_file_and_ids_twice(tmp_path: Path) -> None:
    names = tmp_path / "names"
    names.write_text("x\ny\nz\n")
    assert read_vectors(npy(tmp_path, names=None), names).ids == ["x", "y", "z"]
    assert refused(columns(tmp_path), names) == [
        "docs.parquet: the file has ids of its own, and another file of ids is named"
    ]


def test_lines_of_objects_are_refused_by_line(tmp_path: Path) -> None:
    path = objects(
        tmp_path,
        {"id": "a", "vector": [1, 2]},
        {"vector": [1, 2]},
        {"id": "b"},
        {"id": "c", "vector": [1, "2"]},
        {"id": "d", "vector": [1, 2, 3]},
        '{"id": "e", "vector": [1, NaN]}',
        {"id": "f", "vector": [True, 1]},
        {"id": "g", "vector": []},
    )
    assert [line.partition(": ")[0] for line in refused(path)] == [f"docs.jsonl:{n}" for n in range(2, 9)]
    twice = objects(tmp_path, {"id": "a", "vector": [1]}, "", {"id": "a", "vector": [2]})
    assert refused(twice) == ["docs.jsonl:3: the id 'a' stands in line 1 already"]


def test_columns_of_parquet_are_refused(tmp_path: Path) -> None:
    pl.DataFrame({"docno": ["a", "b"], "embedding": [[1.0, 2.0], [1.0]]}).write_parquet(tmp_path / "a.parquet")
    assert refused(tmp_path / "a.parquet") == ["a.parquet:2: 1 dimensions; the first row has 2"]
    pl.DataFrame({"docno": ["a"], "embedding": [[1.0, None]]}).write_parquet(tmp_path / "b.parquet")
    assert refused(tmp_path / "b.parquet") == ["b.parquet:1: number 2 of the vector is not a number"]
    pl.DataFrame({"docno": ["a"], "embedding": ["x"]}).write_parquet(tmp_path / "c.parquet")
    assert "holds String" in refused(tmp_path / "c.parquet")[0]
    pl.DataFrame({"name": ["a"], "embedding": [[1.0]]}).write_parquet(tmp_path / "d.parquet")
    assert "there are 'name', 'embedding'" in refused(tmp_path / "d.parquet")[0]
    pl.DataFrame({"id": [1.0], "vector": [[1.0]]}).write_parquet(tmp_path / "f.parquet")
    assert refused(tmp_path / "f.parquet") == [
        "f.parquet: the column id holds Float64; text or whole numbers are expected"
    ]
    pl.DataFrame({"docno": ["a", None], "vector": [[1.0], [2.0]]}).write_parquet(tmp_path / "e.parquet")
    assert refused(tmp_path / "e.parquet") == ["e.parquet:2: the id is empty"]


def test_arrays_of_width_0_which_polars_writes_and_does_not_read_again_are_refused(tmp_path: Path) -> None:
    no_numbers = pl.Series("vector", [[], []], pl.Array(pl.Float32, 0))
    pl.DataFrame({"id": ["a", "b"], "vector": no_numbers}).write_parquet(tmp_path / "a.parquet")
    [line] = refused(tmp_path / "a.parquet")
    assert line.startswith("a.parquet: not a Parquet file that can be read: ")


def test_a_byte_that_ends_the_decoder_of_parquet_is_a_fault_of_the_file(tmp_path: Path) -> None:
    """A page of another number of rows: polars asks for 2^61 bytes, and its process is aborted."""
    path = tmp_path / "docs[1].parquet"  # no pattern
    pl.DataFrame({"docno": ["a", "b"], "vector": [[1.0, 2.0], [3.0, 4.0]]}).write_parquet(path)
    assert read_vectors(path).ids == ["a", "b"]
    content = bytearray(path.read_bytes())
    content[44] ^= 1
    path.write_bytes(content)
    assert refused(path) == [f"docs[1].parquet: {DAMAGED}"]


@pytest.mark.parametrize(
    ("end", "error", "message"),
    [
        ("", FormatError, f"docs.parquet: {DAMAGED}"),
        ("os.abort()", FormatError, f"docs.parquet: {DAMAGED}"),
        ("os.kill(os.getpid(), signal.SIGKILL)", OSError, "its decoder was ended by SIGKILL: 'docs.parquet'"),
        ("signal.raise_signal(signal.SIGTERM)", OSError, "its decoder was ended by SIGTERM: 'docs.parquet'"),
    ],
)
def test_a_decoder_of_parquet_that_ends_in_the_middle(
    end: str, error: type[Exception], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ended from outside, as by the system for want of memory, it says nothing about the file."""
    script = tmp_path / "decoder.py"
    script.write_text(f"import os, signal\nos.write(1, b'F' + bytes([9, 0, 0, 0, 0, 0, 0, 0]) + b'short')\n{end}\n")
    monkeypatch.setattr(parquet_process, "__file__", str(script))
    with pytest.raises(error) as fault:
        read_vectors(columns(tmp_path))
    assert str(fault.value).endswith(message)


def decoding(folder: Path, *before: str) -> "subprocess.Popen[bytes]":
    """A decoder at work: more than a pipe takes."""
    pl.DataFrame({"x": range(100_000)}).write_parquet(folder / "x")
    words = [*before, sys.executable, "-P", parquet_process.__file__, str(folder / "x"), "1000", '["x"]']
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.read(1) == b"F"
    return process


def test_a_decoder_of_parquet_leaves_it_to_its_parent_when_it_is_to_end(tmp_path: Path) -> None:
    with decoding(tmp_path) as process:
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        content, _ = process.communicate()
    assert (process.returncode, content[-9:]) == (0, b"." + bytes(8))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it goes on to its next piece")
def test_a_decoder_of_parquet_ends_with_its_parent(tmp_path: Path) -> None:
    with decoding(tmp_path, sys.executable, "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])") as process:
        process.kill()
        process.wait()
        assert process.stdout
        assert process.stdout.read()[-9:] != b"." + bytes(8)


def is_mapped(vector: np.ndarray) -> bool:
    base: np.ndarray | None = vector
    while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
        base = base.base
    return isinstance(base, np.memmap)


@pytest.mark.parametrize("write", [npy, tensors, columns, objects, lambda folder: npy(folder, VECTOR.astype("<f8"))])
def test_vectors_are_mapped_and_nothing_is_left_beside_them(write: Callable[[Path], Path], tmp_path: Path) -> None:
    path = write(tmp_path)
    before = sorted(tmp_path.iterdir())
    table = read_vectors(path)
    assert (is_mapped(table.vector), sorted(tmp_path.iterdir())) == (True, before)
    table.vector[0, 0] = 9  # of an array of one's own
    assert read_vectors(path).vector.tolist() == VECTOR.tolist()


def test_parquet_comes_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.formats.vectors.parquet.ROWS", 2)
    vector = np.random.default_rng(1).standard_normal((11, 3)).astype(np.float32)
    names = [f"d{n}" for n in range(11)]
    path, rows = tmp_path / "docs.parquet", [row.tolist() for row in vector]
    pl.DataFrame({"docno": names, "vector": rows}).write_parquet(path, row_group_size=3)
    table = read_vectors(path)
    assert (table.ids, table.vector.tolist()) == (names, vector.tolist())
    pl.DataFrame({"docno": names, "vector": [*rows[:7], [1.0], *rows[8:10], None]}).write_parquet(path)
    assert refused(path) == [
        "docs.parquet:8: 1 dimensions; the first row has 3",
        "docs.parquet:11: 0 dimensions; the first row has 3",
    ]


def test_a_folder_that_takes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, temporary = objects(tmp_path), tempfile.TemporaryFile

    def refuse(dir: Path | None = None) -> object:  # noqa: A002 (as tempfile calls it)
        if dir is not None:
            raise PermissionError
        return temporary()

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert read_vectors(path).vector.tolist() == VECTOR.tolist()
