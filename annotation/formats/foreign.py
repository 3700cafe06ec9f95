"""What is no text that we read, by its first bytes: pictures, PDF, office files, other packings and encodings.

Every line of such a file would be a fault, so one reason is given in place of them all.
"""

import re

START = 80  # bytes that tell
_NAME = 30  # where the name of the first member of a zip begins
_OFFICE = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/", b"word/", b"ppt/", b"mimetypeapplication/vnd.oasis")
_ZIP_BEGINS = b"PK\x03\x04"
_GZIP = b"\x1f\x8b"
_SAVE = "save it as CSV or text"
_FOREIGN = {
    re.compile(rb"\xff\xfe|\xfe\xff"): "this is UTF-16; save it as UTF-8",
    re.compile(rb"\x1f\x8b"): "this was packed with gzip twice; unpack it once",
    re.compile(rb"BZh[1-9]1AY&SY"): "this was packed with bzip2; unpack it, or pack it with gzip instead",
    re.compile(rb"\xfd7zXZ\0"): "this was packed with xz; unpack it, or pack it with gzip instead",
    re.compile(rb"\x28\xb5\x2f\xfd"): "this was packed with zstd; unpack it, or pack it with gzip instead",
    re.compile(rb"7z\xbc\xaf\x27\x1c"): "this was packed with 7-Zip; unpack it, or pack it with gzip instead",
    re.compile(rb"Rar!\x1a\x07"): "this is a RAR archive; unpack it, or pack the file with gzip instead",
    re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|II\*\0|MM\0\*", re.DOTALL): "this is a picture",
    re.compile(rb"%PDF-"): f"this is a PDF; {_SAVE}",
    re.compile(rb"\{\\rtf"): f"this is an RTF document; {_SAVE}",
    re.compile(rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"): f"this is an old Excel or Word file; {_SAVE}",
    re.compile(rb"PAR1"): "this is Parquet; save it as CSV or JSONL",
    re.compile(rb"SQLite format 3\0"): "this is an SQLite database",
}
_ZIP = "this is a zip archive; unpack it, or pack the file with gzip instead"


def foreign(start: bytes) -> str:
    """What a file is that begins so, and what can be done; empty for what may be text. A zip is named, whatever is in
    it."""
    if start.startswith(_ZIP_BEGINS):
        return office_file(start) or _ZIP
    return next((reason for beginning, reason in _FOREIGN.items() if beginning.match(start)), "")


def office_file(start: bytes) -> str:
    """The same of a zip that is a spreadsheet or a document; empty for any other."""
    if not (start.startswith(_ZIP_BEGINS) and start[_NAME:].startswith(_OFFICE)):
        return ""
    return f"this is a spreadsheet or an office document; {_SAVE}"


def foreign_but_packed(start: bytes) -> str:
    """As `foreign`, where a zip or a gzip may be what is wanted."""
    reason = "" if start.startswith(_GZIP) else foreign(start)
    return "" if reason == _ZIP else reason
