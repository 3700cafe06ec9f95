"""Content-addressed files."""

import hashlib
import io
import os
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from annotation.formats import store
from annotation.formats.store import INCOMING, Incoming, adopt, path_of, put, remove, sweep_incoming, verify

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # sha256 of nothing (FIPS 180-4)


def test_a_file_lies_under_its_hash(tmp_path: Path) -> None:
    sha = put(tmp_path / "files", b"content")
    place = tmp_path / "files" / sha[:2] / sha
    assert sha == hashlib.sha256(b"content").hexdigest()
    assert path_of(tmp_path / "files", sha) == place
    assert place.read_bytes() == b"content"
    assert verify(tmp_path / "files", sha)


def test_bytes_and_streams_are_one(tmp_path: Path) -> None:
    data = bytes(range(256)) * 10_000
    assert put(tmp_path, io.BytesIO(data)) == put(tmp_path, data)
    assert put(tmp_path, b"") == EMPTY


def test_writing_again_makes_the_file_young_and_is_no_second_one(tmp_path: Path) -> None:
    place = path_of(tmp_path, put(tmp_path, b"x"))
    os.utime(place, (1, 1))
    put(tmp_path, b"x")
    assert place.stat().st_mtime > time.time() - 60
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [place]
    other = tmp_path / "other"
    adopt(other, place)
    assert path_of(other, place.name).read_bytes() == b"x"
    os.utime(place, (1, 1))
    put(other, b"x")
    assert path_of(other, place.name).stat().st_mtime > time.time() - 60


def test_a_file_is_removed_once_it_is_old(tmp_path: Path) -> None:
    sha = put(tmp_path, b"x")
    assert not remove(tmp_path, sha, older_than=60)
    os.utime(path_of(tmp_path, sha), (1, 1))
    assert remove(tmp_path, sha, older_than=60)
    assert not path_of(tmp_path, sha).exists()
    assert not remove(tmp_path, sha, older_than=60)


def test_an_adopted_file_stays_as_old_as_it_is_and_is_not_removed_before_its_first_name(tmp_path: Path) -> None:
    first = path_of(tmp_path / "transit", put(tmp_path / "transit", b"x"))
    os.utime(first, (1, 1))
    for _ in range(2):
        adopt(tmp_path, first)
    assert first.stat().st_mtime == 1
    assert not remove(tmp_path, first.name, older_than=60)
    first.unlink()
    assert remove(tmp_path, first.name, older_than=60)


def test_what_is_stored_while_another_removes_is_there_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins once the other has seen that the file is old, and has to wait until that one is through."""
    sha = put(tmp_path, b"x")
    os.utime(path_of(tmp_path, sha), (1, 1))
    storing = threading.Thread(target=put, args=(tmp_path, b"x"))

    def time_of_the_look() -> float:
        storing.start()
        storing.join(0.3)
        return time.time()

    monkeypatch.setattr(store, "time", SimpleNamespace(time=time_of_the_look))
    assert remove(tmp_path, sha, older_than=60)
    storing.join()
    assert path_of(tmp_path, sha).read_bytes() == b"x"


def test_nothing_is_left_of_a_stream_that_breaks(tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        put(tmp_path, Broken())
    assert list(tmp_path.rglob(f"{INCOMING}*")) == []
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize("sha", ["", "ab", "../" + "a" * 61, "A" * 64, "g" * 64, "a" * 64 + "\n", "a" * 63 + "/"])
def test_no_path_is_made_of_anything_but_a_hash(tmp_path: Path, sha: str) -> None:
    with pytest.raises(ValueError, match="64 lower-case hex digits"):
        path_of(tmp_path, sha)


def test_verify_notices_change_and_absence(tmp_path: Path) -> None:
    sha = put(tmp_path, b"content")
    path_of(tmp_path, sha).chmod(0o600)
    path_of(tmp_path, sha).write_bytes(b"Content")
    assert not verify(tmp_path, sha)
    assert not verify(tmp_path, EMPTY)


def test_a_file_on_its_way_is_gone_unless_it_is_settled(tmp_path: Path) -> None:
    with Incoming(tmp_path) as incoming:
        incoming.take(b"con")
        incoming.take(b"tent")
        assert [file.name.startswith(INCOMING) for file in tmp_path.iterdir()] == [True]
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="was let go"):
        incoming.settle()


def test_a_settled_file_stays_readable_and_stays(tmp_path: Path) -> None:
    with Incoming(tmp_path) as incoming:
        incoming.take(b"content")
        sha = put(tmp_path, incoming)
        incoming.seek(0)
        assert (sha, incoming.read()) == (put(tmp_path, b"content"), b"content")
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [path_of(tmp_path, sha)]


def test_only_what_was_left_long_ago_is_swept(tmp_path: Path) -> None:
    place = path_of(tmp_path, put(tmp_path, b"content"))
    with Incoming(tmp_path) as incoming:
        incoming.take(b"half")
        assert sweep_incoming(tmp_path, older_than=60) == 0
        assert sweep_incoming(tmp_path, older_than=-60) == 1
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [place]
