"""What must hold for any bytes at all that are brought in as a bundle or a BEIR folder. Tests and fuzzers feed it.

1. Nothing but `FormatError` comes out, neither of opening the archive nor of reading what is in it.
2. What is accepted lies within the archive: no path leads out of it, and none stands twice.
3. So it is with bytes inside an archive that is otherwise whole: as `bundle.json`, as rows, as a header of a tar.
"""

import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress

from annotation.formats import documents, qrels, topics
from annotation.formats.bundle import is_bundle, open_bundle
from annotation.formats.bundle.rows import AnnotatorRow, DocumentVersionRow, ItemRow, SnapshotRow
from annotation.formats.bundle.zip_archive import ZipLimits, path_fault
from annotation.formats.file_formats import FileFormat, recognise_format
from annotation.formats.folder import is_folder, open_folder
from annotation.formats.folder.opening import Folder, Member
from annotation.formats.problems import FormatError, Problems

KINDS: Mapping[str, type[object]] = {
    "annotators": AnnotatorRow,
    "document_versions": DocumentVersionRow,
    "items": ItemRow,
    "snapshots": SnapshotRow,
}
LIMITS = ZipLimits(members=50, directory=1 << 16, unpacked=1 << 20, ratio=50, small=1 << 12)
CHECKSUM = slice(148, 156)  # of a tar's header
FORMATS: Mapping[str, tuple[FileFormat[object], ...]] = {
    "topics": topics.FORMATS,  # type: ignore[dict-item]  # what they give is looked at by nobody here
    "documents": documents.FORMATS,  # type: ignore[dict-item]
    "qrels": qrels.FORMATS,  # type: ignore[dict-item]
}
ROWS = {
    "annotators": b'{"pseudonym":"Amber","simulated":false}\n',
    "document_versions": b'{"docno":"d1","sha256":"%s","title":"","text":"a","form":"text","fields":{},' % (b"0" * 64)
    + b'"is_current":true}\n',
    "items": b"",
    "snapshots": b"",
}
TEXTS = {
    "queries.jsonl": b'{"_id": "1", "text": "bees"}\n',
    "corpus.jsonl": b'{"_id": "d1", "text": "Bees."}\n',
    "qrels/a.tsv": b"query-id\tcorpus-id\tscore\n1\td1\t1\n",
}


def check_bundle(data: bytes) -> None:
    """Raises `AssertionError`, or whatever else comes out that is not `FormatError`."""
    is_bundle(io.BytesIO(data))
    _read_bundle(data)
    _read_bundle(bundle_of(ROWS, bundle_json=data))
    for name in KINDS:
        _read_bundle(bundle_of({**ROWS, name: data}))


def check_folder(data: bytes) -> None:
    """Raises `AssertionError`, or whatever else comes out that is not `FormatError`."""
    is_folder(io.BytesIO(data))
    _read_folder(data)
    _read_folder(checksummed(data))
    for name in TEXTS:
        _read_folder(zip_of({**TEXTS, name: data}))


def bundle_of(rows: Mapping[str, bytes], *, bundle_json: bytes | None = None) -> bytes:
    """A bundle of these members, with the hashes they have; or with another `bundle.json`."""
    members = {f"{name}.jsonl": data for name, data in rows.items()}
    facts = {
        name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "rows": data.count(b"\n")}
        for name, data in members.items()
    }
    collection = {"slug": "bees", "name": "Bees", "description": "", "scale": None, "guideline": None}
    content = {"format": "touchstone bundle", "version": 1, "collection": collection, "members": facts}
    return zip_of({**members, "bundle.json": json.dumps(content).encode() if bundle_json is None else bundle_json})


def zip_of(members: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()


def checksummed(data: bytes) -> bytes:
    """The bytes as blocks of a tar, of which the first has the checksum that it needs to be looked at."""
    block = bytearray(data[:512].ljust(512, b"\0"))
    block[CHECKSUM] = b" " * 8
    block[CHECKSUM] = b"%06o\0 " % sum(struct.unpack("512B", block))
    return bytes(block) + data[512:]


def _read_bundle(data: bytes) -> None:
    problems = Problems("a", keep=50)
    with suppress(FormatError):
        bundle = open_bundle(io.BytesIO(data), problems, kinds=dict.fromkeys(KINDS, 1), limits=LIMITS)
        bundle.verify(lambda _done: None)
        for name, kind in KINDS.items():
            for line, row in bundle.rows(name, kind, problems):
                assert (line > 0, isinstance(row, kind)) == (True, True)


def _read_folder(data: bytes) -> None:
    problems = Problems("a", keep=50)
    with suppress(FormatError), open_folder(io.BytesIO(data), problems, LIMITS) as folder:
        paths = [member.path for member in folder.members]
        assert len(set(paths)) == len(paths)
        assert not any(path_fault(path.removeprefix("./")) for path in paths)
        for member in folder.members:
            _read_member(folder, member)


def _read_member(folder: Folder, member: Member) -> None:
    own = Problems(member.path, keep=50)
    with suppress(FormatError), folder.open(member.path) as file:
        form, _ = recognise_format(FORMATS[member.kind], file, own)
        read = form.read(file, own, {})
        for _ in read if isinstance(read, Iterator) else ():
            pass
