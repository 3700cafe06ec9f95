"""What workers find of tests is what pytest would have made of them, and nobody makes it twice."""

import os
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

from tests.rewriting import rewrite_ahead

pytestmark = pytest.mark.pure


def test_pytest_takes_what_was_rewritten_ahead(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    file, other = tmp_path / "test_bees.py", tmp_path / "bees.py"
    for each in (file, other):
        each.write_text("def test_bees():\n    assert 1 == 2\n")
    rewrite_ahead(pytestconfig, tmp_path)
    (kept,) = rewrite.get_cache_dir(file).glob("*")
    assert kept.name == f"test_bees{rewrite.PYC_TAIL}"
    code = rewrite._read_pyc(file, kept)
    assert code is not None
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102 -- the test above
    with pytest.raises(AssertionError, match="assert 1 == 2"):
        names["test_bees"]()  # type: ignore[operator]


def test_what_is_kept_is_left_alone_until_its_test_changes(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    file = tmp_path / "test_bees.py"
    file.write_text("assert True\n")
    rewrite_ahead(pytestconfig, tmp_path)
    (kept,) = rewrite.get_cache_dir(file).glob("*")
    first = kept.stat().st_mtime_ns
    rewrite_ahead(pytestconfig, tmp_path)
    assert kept.stat().st_mtime_ns == first
    file.write_text("assert 1\n")
    os.utime(file, (first / 1e9 + 5, first / 1e9 + 5))
    rewrite_ahead(pytestconfig, tmp_path)
    assert rewrite._read_pyc(file, kept) is not None
