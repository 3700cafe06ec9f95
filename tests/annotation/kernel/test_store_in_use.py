"""Stored files are what they are named by, or are not read."""

import os

import pytest

from annotation.kernel.store import DamagedError, DiskStore, MissingError, path_of, put


def test_a_flipped_bit_is_found_where_the_file_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.kernel.store.in_use._compared", {})
    sha = put(b"wasps and bees")
    file = path_of(sha)
    file.chmod(0o600)
    file.write_bytes(b"wasps and beer")
    for _ in range(2):
        with pytest.raises(DamagedError, match=sha):
            path_of(sha)
    put(b"wasps and bees")
    assert path_of(sha).read_bytes() == b"wasps and bees"


def test_a_file_is_compared_once_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.kernel.store.in_use._compared", {})
    compared = list[str]()

    def verify(_store: DiskStore, sha: str) -> bool:
        compared.append(sha)
        return True

    monkeypatch.setattr(DiskStore, "verify", verify)
    sha = put(b"hornets")
    assert [path_of(sha), path_of(sha)] == [path_of(sha)] * 2
    assert compared == [sha]
    os.utime(path_of(sha), (1, 1))
    path_of(sha)
    assert compared == [sha, sha]


def test_a_file_that_is_not_there_is_missing() -> None:
    with pytest.raises(MissingError, match="0" * 64):
        path_of("0" * 64)


def test_a_file_that_goes_while_it_is_compared_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.kernel.store.in_use._compared", {})
    sha, verify = put(b"cuckoo wasps"), DiskStore.verify

    def swept(store: DiskStore, sha: str) -> bool:
        store.discard(sha)
        return verify(store, sha)

    monkeypatch.setattr(DiskStore, "verify", swept)
    with pytest.raises(MissingError, match=sha):
        path_of(sha)
