"""The asserts of all tests, rewritten as pytest does and kept beside them as pytest keeps them.

Where tests are shared among workers each would do it for itself, ten seconds of a processor, since they begin together.
These are private parts of pytest: test_rewriting.py says when they no longer do.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def rewrite_ahead(config: pytest.Config, folder: Path) -> None:
    """Of every file of tests in the folder whose code is not kept, or older than the file."""
    files = [file for file in sorted(folder.rglob("test_*.py")) if not _is_kept(file)]
    n_processes = min(os.cpu_count() or 1, len(files))
    shares = [files[start::n_processes] for start in range(n_processes)]
    processes = [get_context("fork").Process(target=_rewrite, args=(config, share)) for share in shares]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _rewrite(config: pytest.Config, files: Iterable[Path]) -> None:
    state = config.stash[rewrite.assertstate_key]
    for file in files:
        with suppress(SyntaxError):  # whoever collects it will say so
            source_stat, code = rewrite._rewrite_test(file, config)
            kept = _kept(file)
            kept.parent.mkdir(parents=True, exist_ok=True)
            rewrite._write_pyc(state, code, source_stat, kept)


def _is_kept(file: Path) -> bool:
    kept = _kept(file)
    return kept.exists() and kept.stat().st_mtime >= file.stat().st_mtime


def _kept(file: Path) -> Path:
    return rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
