"""A report's folder as one file, the same bytes for the same folder; and its page, out of it."""

import base64
import hashlib
import re
import zipfile
from pathlib import Path
from typing import BinaryIO

from evaluation.formats.report.folder import PAGE

ROOT = "report/"  # the folder in the archive
DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can have
_STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)


def write_zip(folder: Path, out: BinaryIO) -> None:
    """Files in the order of their names, with no time of their own."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            member = zipfile.ZipInfo(ROOT + path.relative_to(folder).as_posix(), DATE)
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            with path.open("rb") as source, archive.open(member, "w") as target:
                while piece := source.read(1 << 20):
                    target.write(piece)


def page_in(path: Path) -> bytes:
    """The page of HTML in the archive."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(ROOT + PAGE)


def style_hash(page: bytes) -> str:
    """What a Content-Security-Policy calls the page's own style."""
    match = _STYLE.search(page)
    digest = hashlib.sha256(match[1] if match else b"").digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
