"""Documents as files in a tar, plain or gzip: a file is a document, its name without the ending the docno.

Plain text, or HTML, which is sanitised. Nothing is written to disk, and no path is followed. The
archive is read from its beginning to its end; names are checked, links, devices and sparse files
refused. Hidden files (`.DS_Store`, `._x`) are left aside. The "line" of a problem is the place of
the file in the archive.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import BinaryIO

from annotation.formats.documents.html import sanitised
from annotation.formats.documents.rows import DocumentRow, checked, whole
from annotation.formats.documents.tar import Member, is_tar, members
from annotation.formats.fields import REPLACEMENT, shown
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.foreign import START, foreign
from annotation.formats.lines import UTF8, note_replaced
from annotation.formats.problems import Problems
from annotation.text.sanitise import charset_of, title_of

HTML = frozenset({".html", ".htm", ".xhtml"})
ENDINGS = HTML | {".txt", ".text"}

_HTML = re.compile(
    r"(?:\xef\xbb\xbf)?(?>\s+|<!--.*?-->|<\?xml[^>]*>)*+<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def _read(stream: BinaryIO, problems: Problems, _columns: Columns) -> Iterator[DocumentRow]:
    hidden = nuls = 0
    seen: set[str] = set()
    for member in members(stream, problems):
        path = PurePosixPath(member.name)
        if path.name.startswith("."):
            hidden += 1
            continue
        is_html = path.suffix.lower() in HTML or bool(_HTML.match(member.data[:5000].decode("latin-1")))
        text = _decoded(member, problems, is_html=is_html)
        if text is None:
            continue
        nuls += text.count("\0")
        row = _row(path, text.replace("\0", REPLACEMENT), member, problems, is_html=is_html)
        if row and row.docno in seen:
            problems.add_repeat(row.line, f"{shown(member.name)}: another file of the archive has this name")
        elif row:
            seen.add(row.docno)
            yield row
    if hidden:
        problems.note(0, f"{hidden} hidden file{'s' if hidden > 1 else ''} left aside")
    if nuls:
        note_replaced(problems, nuls)


def _row(path: PurePosixPath, text: str, member: Member, problems: Problems, *, is_html: bool) -> DocumentRow | None:
    docno = path.stem if path.suffix.lower() in ENDINGS else path.name
    if not is_html:
        return checked({"docno": docno, "text": text}, {}, member.number, problems)
    try:
        values = {"docno": docno, "text": sanitised(text), "title": title_of(text)}
    except ValueError as error:
        problems.add(member.number, f"{shown(member.name)}: {error}")
        return None
    return checked(values, {}, member.number, problems, form="html")


def _decoded(member: Member, problems: Problems, *, is_html: bool) -> str | None:
    """The text, line ends as LF; None with the reason reported. An encoding that HTML declares is named first."""
    declared = charset_of(member.data[:5000].decode("latin-1")) if is_html else ""
    if declared and declared.lower() not in UTF8 and not member.data.startswith(_UTF16):
        problems.add(member.number, f"{shown(member.name)}: it says that it is {shown(declared)}: save it as UTF-8")
        return None
    try:
        text = member.data.decode("utf-8")
    except UnicodeDecodeError as error:
        utf16 = member.data.startswith(_UTF16)
        reason = "UTF-16; save it as UTF-8" if utf16 else foreign(member.data[:START])
        reason = reason or f"not UTF-8 at byte {error.start + 1}"
        problems.add(member.number, f"{shown(member.name)}: {reason}")
        return None
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


FORMAT: FileFormat[Iterator[DocumentRow]] = FileFormat(
    "tar",
    "Text or HTML files in a tar",
    is_tar,
    whole(_read),
    lambda _head: [("file name", "docno"), ("file", "text"), ("<title>", "title")],
    upload_help="text and HTML files in a tar",
)
