"""A report's folder that is there whole or not at all."""

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluation.formats.report.folder import FORM, MANIFEST


def why_not_written(folder: Path, *, replace: bool) -> str:
    """Why no report can be written there, as a sentence; empty where it can: a new or empty folder, and with `replace`
    one that holds a report."""
    if not folder.absolute().parent.is_dir():
        return f"{folder}: {os.strerror(errno.ENOENT)}"
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return ""
    if not folder.is_dir():
        return f"{folder}: there is such a file already."
    if not _is_report(folder):
        return f"{folder}: there is something else in this folder; name another."
    return "" if replace else f"{folder}: there is a report already; --force replaces it."


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder beside it to write into; it takes the name once the block has ended well, and is gone after a fault."""
    incoming = Path(tempfile.mkdtemp(prefix=".report-", dir=folder.absolute().parent))
    try:
        yield incoming
        incoming.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        incoming.rename(folder)
    finally:
        shutil.rmtree(incoming, ignore_errors=True)


def _is_report(folder: Path) -> bool:
    try:
        facts = json.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(facts, dict) and facts.get("form") == FORM
