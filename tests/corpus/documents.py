"""Documents that must be refused, with every reason."""

import gzip
import io
import tarfile

from annotation.formats.documents import FORMATS
from tests.corpus import Malformed, malformed
from tests.corpus.packing import zipped

LINE = b'{"id": "1", "text": "a"}\n'
PACKED = gzip.compress(LINE * 1000, mtime=0)
CUT = "the gzip is cut short: the upload or the file is incomplete"
NO_DOCNO = (
    "no docno: a string or integer under one of docno, doc_id, id, _id, docid, document_id, passage_id, pid expected"
)
ALIEN = "not recognised as any of " + ", ".join(f"{each.title} ({each.name})" for each in FORMATS)
DOC = b"<DOC>\n<DOCNO> FR-1 </DOCNO>\n<TEXT>\na\n</TEXT>\n</DOC>\n"
LEADS_OUT = "its path leads out of the archive"
BOMB = "the gzip unpacks to more than 500 times its size: this is no list of texts"
TAR_CUT = "the archive is cut short: the upload or the file is incomplete"
DAMAGED = "the archive is damaged, or not a tar: a header is not right"


def tar_of(*files: tuple[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar, not packed."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, data in files:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def tgz_of(*files: tuple[str, bytes]) -> bytes:
    return gzip.compress(tar_of(*files), mtime=0)


def tar_with(kind: bytes, name: str = "a.txt", link: str = "") -> bytes:
    """A tar of one member of a kind that is no file, and a good one behind it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, link
        archive.addfile(member)
        archive.addfile(tarfile.TarInfo("b.txt"), io.BytesIO())
    return out.getvalue()


def header_of(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    """A header that promises `size` bytes."""
    member = tarfile.TarInfo(name)
    member.size, member.type = size, kind
    return member.tobuf(tarfile.GNU_FORMAT)


GOOD_TAR = tar_of(("1.txt", b"a"))

PACKING = [
    ("empty file", b"", "there is nothing in this file"),
    ("gzip cut in the middle", PACKED[: len(PACKED) // 2], CUT),
    (
        "gzip of a wrong check",
        PACKED[:-8] + b"\0\0\0\0" + PACKED[-4:],
        "the gzip is damaged (Error -3 while decompressing data: incorrect data check)",
    ),
    ("zip", zipped(LINE), "this is a zip archive; unpack it, or pack the file with gzip instead"),
    ("UTF-16", LINE.decode().encode("utf-16"), "this is UTF-16; save it as UTF-8"),
    ("no form", b"a line of words\n", ALIEN),
    ("a JSON array", b'[{"id": "1"}]\n', ALIEN),
    ("an HTML page by itself", b"<!DOCTYPE html>\n<html><p>a</html>\n", ALIEN),
]

JSONL = [
    ("no id", LINE + b'{"title": "no id"}\n', f"2: {NO_DOCNO}"),
    ("an id that is no id", b'{"id": [1], "text": "a"}\n', f"1: {NO_DOCNO}"),
    ("a docno twice", LINE + LINE, "2: document 1 twice, first on line 1"),
    ("a number for text", b'{"id": "1", "text": 5}\n', "1: the text is not a string"),
    (
        "half a surrogate pair",
        b'{"id": "1", "x": "\\udfff"}\n',
        "1: the value of 'x' contains half of a surrogate pair",
    ),
    (
        "101 further keys",
        ('{"id": "1", ' + ", ".join(f'"k{i}": 1' for i in range(101)) + "}\n").encode(),
        "1: more than 100 further keys",
    ),
    (
        "101 keys of metadata",
        ('{"_id": "1", "text": "", "metadata": {' + ", ".join(f'"k{i}": 1' for i in range(101)) + "}}\n").encode(),
        "1: more than 100 further keys",
    ),
    ("a bomb of JSON", gzip.compress(LINE + b"\n" * (64 << 20), mtime=0), BOMB),
    ("very deep JSON", b'{"id": "1", "x": ' + b"[" * 100_000 + b"\n", "1: nested deeper than 32 levels"),
    (
        "a line beyond 8 MiB",
        LINE + b'{"id": "2", "text": "' + b"x" * (8 << 20) + b'"}\n',
        "2: the line is longer than the limit of 8388608 bytes",
    ),
    ("Latin-1", LINE + b'{"id": "caf\xe9"}\n', "2: not UTF-8 at byte 12 of the line (0xe9)"),
    (
        "lines of two documents",
        b'{"id": "1"}{"id": "2"}\n',
        "1: not a JSON object: Extra data at character 12",
    ),
]

TSV = [
    (
        "a tab too many",
        b"1\ttitle\ttext\n2\ttitle\ttext\tmore\n",
        "2: 3 columns expected (docno, title, text), 4 found",
    ),
    ("a tab too few", b"1\ttitle\ttext\n2\ttext\n", "2: 3 columns expected (docno, title, text), 2 found"),
    ("four columns, no header", b"1\ta\tb\tc\n", "1: 2 to 3 columns expected (docno, title, text), 4 found"),
    (
        "a column missing under a header",
        b"docno\ttext\turl\n1\ta\n",
        "2: 3 columns expected, as in the first line, 2 found",
    ),
    ("a docno twice in TSV", b"1\ta\n2\tb\n1\tc\n", "3: document 1 twice, first on line 1"),
    ("no docno in TSV", b"1\ta\n\tb\n", "2: the docno is empty"),
    ("U+2028 in a docno", "a\u2028b\ttext\n".encode(), "1: the docno 'a\\u2028b' contains white space"),
    ("header alone", b"docno\ttext\n", "there is no document in this file"),
]

SGML = [
    ("no DOCNO", b"<DOC>\n<TEXT>a</TEXT>\n</DOC>\n" + DOC, "1: this <DOC> has no <DOCNO>"),
    ("a DOCNO not closed", b"<DOC>\n<DOCNO> 1\n<TEXT>a</TEXT>\n</DOC>\n", "1: this <DOC> has no <DOCNO>"),
    ("an empty DOCNO", b"<DOC>\n<DOCNO> </DOCNO>\n</DOC>\n", "1: the docno is empty"),
    ("two DOCNOs", b"<DOC>\n<DOCNO>1</DOCNO><DOCNO>2</DOCNO>\n</DOC>\n", "1: the docno '1 2' contains white space"),
    ("a DOC not closed", b"<DOC>\n<DOCNO>1</DOCNO>\n" + DOC, "1: this <DOC> is not closed before line 3"),
    ("SGML cut short", DOC + b"<DOC>\n<DOCNO>2</DOCNO>\n<TEXT>", "7: this <DOC> is not closed: is the file cut short?"),
    (
        "text between documents",
        DOC + b"and then\nmore\n" + DOC.replace(b"-1", b"-2"),
        "7: text outside of <DOC> … </DOC>",
    ),
    ("a docno twice in SGML", DOC + DOC, "7: document FR-1 twice, first on line 1"),
    ("Latin-1 in SGML", DOC.replace(b"\na\n", b"\ncaf\xe9\n"), "4: not UTF-8 at byte 4 of the line (0xe9)"),
    (
        "a document beyond 8 MiB",
        DOC.replace(b"\na\n", b"\n" + (b"a" * (1 << 20) + b"\n") * 9),
        "1: the document is longer than the limit of 8388608 characters",
    ),
    (
        "101 elements",
        b"<DOC><DOCNO>1</DOCNO>" + b"".join(b"<E%d>a</E%d>" % (i, i) for i in range(101)) + b"</DOC>",
        "1: more than 100 further keys",
    ),
]

TAR = [
    ("a path that climbs", tar_of(("../../etc/passwd", b"a")), f"1: '../../etc/passwd': {LEADS_OUT}"),
    ("a path that climbs inside", tar_of(("a/../../b.txt", b"a")), f"1: 'a/../../b.txt': {LEADS_OUT}"),
    ("a path that climbs, Windows", tar_of(("..\\b.txt", b"a")), f"1: '..\\\\b.txt': {LEADS_OUT}"),
    ("an absolute path", tar_of(("/etc/passwd", b"a")), f"1: '/etc/passwd': {LEADS_OUT}"),
    ("a drive", tar_of(("C:\\a.txt", b"a")), f"1: 'C:\\\\a.txt': {LEADS_OUT}"),
    (
        "a name with a line end",
        tar_of(("a\nb.txt", b"a")),
        "1: 'a\\nb.txt': its name has characters that cannot be printed, or is not UTF-8",
    ),
    ("a name with a blank", tar_of(("a b.txt", b"a")), "1: the docno 'a b' contains white space"),
    ("a symbolic link", tar_with(tarfile.SYMTYPE, link="/etc/passwd"), "1: 'a.txt': a link, not a file"),
    ("a hard link", tar_with(tarfile.LNKTYPE, link="b.txt"), "1: 'a.txt': a link, not a file"),
    ("a device", tar_with(tarfile.CHRTYPE), "1: 'a.txt': a device, not a file"),
    ("a pipe", tar_with(tarfile.FIFOTYPE), "1: 'a.txt': a pipe, not a file"),
    (
        "a sparse file",
        header_of("a.txt", 0, tarfile.GNUTYPE_SPARSE) + GOOD_TAR,
        "1: 'a.txt': something unknown, not a file",
    ),
    (
        "a name twice",
        tar_of(("a/1.txt", b"a"), ("b/1.html", b"b")),
        "2: 'b/1.html': another file of the archive has this name",
    ),
    ("no file", tar_of(), ALIEN),
    ("hidden files only", tar_of((".DS_Store", b"a")), "there is no document in this file"),
    ("a tar cut short", GOOD_TAR[:700], TAR_CUT),
    ("a tar cut between files", GOOD_TAR[:1024], TAR_CUT),
    ("a header of rubbish", GOOD_TAR[:1024] + b"x" * 512, DAMAGED),
    ("something behind the end", GOOD_TAR + b"more", "something follows behind the end of the archive"),
    (
        "a file that promises 8 GiB",
        header_of("a.txt", 8 << 30),
        "1: 'a.txt': longer than the limit of 8388608 bytes\n1: more than 268435456 bytes in files that cannot be read",
    ),
    (
        "a name that promises 8 GiB",
        header_of("a.txt", 8 << 30, tarfile.GNUTYPE_LONGNAME),
        "a header in the archive is longer than the limit of 1048576 bytes",
    ),
    (
        "a POSIX header that promises 8 GiB",
        header_of("a.txt", 8 << 30, tarfile.XHDTYPE),
        "a header in the archive is longer than the limit of 1048576 bytes",
    ),
    (
        "a folder that promises 8 GiB",
        header_of("a", 8 << 30, tarfile.DIRTYPE),
        "1: more than 268435456 bytes in files that cannot be read",
    ),
    (
        "a bomb of one file",
        tgz_of(("a.txt", bytes(16 << 20))),
        f"{BOMB}\n1: 'a.txt': longer than the limit of 8388608 bytes",
    ),
    (
        "a bomb behind a good file",
        tgz_of(("1.txt", b"a"), ("2.txt", bytes(64 << 20))),
        f"{BOMB}\n2: '2.txt': longer than the limit of 8388608 bytes",
    ),
    ("a bomb of many files", tgz_of(*((f"{i}.txt", b" " * (7 << 20)) for i in range(9))), BOMB),
    ("Latin-1 in a file", tar_of(("1.txt", b"caf\xe9")), "1: '1.txt': not UTF-8 at byte 4"),
    ("UTF-16 in a file", tar_of(("1.txt", "a".encode("utf-16"))), "1: '1.txt': UTF-16; save it as UTF-8"),
    ("an image", tar_of(("1.png", b"\x89PNG\r\n\x1a\n\0")), "1: '1.png': this is a picture"),
    (
        "HTML that says Latin-1",
        tar_of(("1.html", b"<meta charset='iso-8859-1'><p>caf\xe9")),
        "1: '1.html': it says that it is 'iso-8859-1': save it as UTF-8",
    ),
    (
        "HTML that says Windows",
        tar_of(("1.html", b"<meta http-equiv=content-type content='text/html; charset=windows-1252'>")),
        "1: '1.html': it says that it is 'windows-1252': save it as UTF-8",
    ),
    ("deep HTML", tar_of(("1.html", b"<div>" * 1000)), "1: '1.html': nested deeper than 100 levels"),
    ("very deep HTML", tar_of(("1.html", b"<div>" * 400_000)), "1: '1.html': nested deeper than 100 levels"),
    (
        "HTML beyond 2 MiB",
        tar_of(("1.html", b"<p>" + b"x" * (2 << 20))),
        "1: '1.html': HTML longer than the limit of 2097152 bytes",
    ),
]

MALFORMED: list[Malformed] = malformed("a", [*PACKING, *JSONL, *TSV, *SGML, *TAR])
