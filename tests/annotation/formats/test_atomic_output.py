"""A file that is written whole or not at all."""

import stat
from pathlib import Path

import pytest

from annotation.formats.atomic_output import whole_file


def test_what_was_written_stands_there(tmp_path: Path) -> None:
    place = tmp_path / "a.txt"
    with whole_file(place) as file:
        file.write(b"one")
        assert not place.exists()
    assert (place.read_bytes(), list(tmp_path.iterdir())) == (b"one", [place])
    other = tmp_path / "b.txt"
    other.write_bytes(b"")
    assert stat.S_IMODE(place.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)


@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt])
def test_after_a_fault_there_is_nothing(tmp_path: Path, fault: type[BaseException]) -> None:
    def broken() -> None:
        with whole_file(tmp_path / "a.txt") as file:
            file.write(b"one")
            raise fault

    with pytest.raises(fault):
        broken()
    assert list(tmp_path.iterdir()) == []


def test_another_file_stays_unless_it_may_go(tmp_path: Path) -> None:
    place = tmp_path / "a.txt"
    place.write_bytes(b"old")
    with pytest.raises(FileExistsError), whole_file(place):
        pytest.fail("the block is not entered")
    with pytest.raises(ValueError, match="no"), whole_file(place, replace=True):
        raise ValueError("no")
    assert place.read_bytes() == b"old"
    with whole_file(place, replace=True) as file:
        file.write(b"new")
    assert place.read_bytes() == b"new"


def test_a_file_that_came_meanwhile_stays(tmp_path: Path) -> None:
    place = tmp_path / "a.txt"

    def slow() -> None:
        with whole_file(place) as file:
            file.write(b"mine")
            place.write_bytes(b"theirs")

    with pytest.raises(FileExistsError):
        slow()
    assert [(each, each.read_bytes()) for each in tmp_path.iterdir()] == [(place, b"theirs")]
