"""A BEIR folder is found in whatever it is packed in; what is none is refused with a reason."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from annotation.formats.bundle.zip_archive import ZipLimits
from annotation.formats.folder import is_folder, open_folder, pack_folder
from annotation.formats.problems import FormatError, Problems

FILES = {
    "corpus.jsonl": b'{"_id": "d1", "title": "Bees", "text": "Bees make honey."}\n',
    "queries.jsonl": b'{"_id": "1", "text": "bees"}\n',
    "qrels/test.tsv": b"query-id\tcorpus-id\tscore\n1\td1\t1\n",
    "qrels/dev.tsv": b"query-id\tcorpus-id\tscore\n1\td1\t0\n",
}


def zipped(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def tarred(files: Mapping[str, bytes], mode: str = "w:gz", kind: bytes = tarfile.REGTYPE) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as tar:  # type: ignore[call-overload]
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.type = (len(data) if kind == tarfile.REGTYPE else 0), kind
            tar.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def plain_tar(files: Mapping[str, bytes]) -> bytes:
    return tarred(files, "w:")


def extended(kind: bytes, size: int) -> bytes:
    """A header of this kind with so many zeros behind it."""
    header = tarfile.TarInfo("corpus.jsonl")
    header.type, header.size = kind, size
    return header.tobuf(tarfile.GNU_FORMAT) + bytes(size)


def around(files: Mapping[str, bytes], folder: str) -> dict[str, bytes]:
    return {f"{folder}{name}": data for name, data in files.items()}


def members(data: bytes, **limits: int) -> list[tuple[str, str, bytes]]:
    problems = Problems("my.file")
    with open_folder(io.BytesIO(data), problems, ZipLimits(**limits)) as folder:
        return [(each.kind, each.name, folder.open(each.path).read()) for each in folder.members]


WANTED = [
    ("topics", "", FILES["queries.jsonl"]),
    ("documents", "", FILES["corpus.jsonl"]),
    ("qrels", "dev", FILES["qrels/dev.tsv"]),
    ("qrels", "test", FILES["qrels/test.tsv"]),
]


@pytest.mark.parametrize(
    ("pack", "folder"),
    [(zipped, ""), (zipped, "scifact/"), *((pack, top) for pack in (tarred, plain_tar) for top in ("", "a/", "./"))],
)
def test_found_in_zip_and_tar(pack: Callable[[Mapping[str, bytes]], bytes], folder: str) -> None:
    data = pack(around(FILES, folder))
    assert members(data) == WANTED
    assert is_folder(io.BytesIO(data))


def test_members_may_be_packed_once_more() -> None:
    packed = {f"{name}.gz": gzip.compress(data) for name, data in FILES.items()}
    assert [(kind, name) for kind, name, _ in members(zipped(packed))] == [each[:2] for each in WANTED]


def test_what_does_not_count_is_left_aside_and_said() -> None:
    problems = Problems("my.zip")
    data = zipped({**FILES, "README.txt": b"", "qrels/test.trec": b"", "__MACOSX/._corpus.jsonl": b""})
    with open_folder(io.BytesIO(data), problems) as folder:
        assert len(folder.members) == 4
    assert [str(note) for note in problems.notes] == [
        "my.zip: left aside: README.txt, qrels/test.trec, __MACOSX/._corpus.jsonl"
    ]


def test_a_folder_of_the_disk_is_packed(tmp_path: Path) -> None:
    for name, data in around(FILES, "a/").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "a" / "big.bin").write_bytes(b"x" * 1000)
    file = io.BytesIO()
    pack_folder(tmp_path / "a", file)
    assert members(file.getvalue()) == WANTED
    with pytest.raises(FormatError, match="this is no BEIR folder"):
        pack_folder(tmp_path / "a" / "qrels", io.BytesIO())


LINK = {"corpus.jsonl": b"", "queries.jsonl": b""}
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "my.file: this is neither a zip nor a tar with a BEIR folder in it"),
    "text": (lambda: b"1\tbees\n" * 200, "my.file: this is neither a zip nor a tar with a BEIR folder in it"),
    "gzip of text": (
        lambda: gzip.compress(b"1\tbees\n" * 200),
        "my.file: this is neither a zip nor a tar with a BEIR folder in it",
    ),
    "foreign zip": (
        lambda: zipped({"a.txt": b"", "b/c/corpus.jsonl": b""}),
        "my.file: this is no BEIR folder: there is no corpus.jsonl, queries.jsonl or qrels/….tsv in it",
    ),
    "two folders": (
        lambda: zipped({**FILES, **around(FILES, "copy/")}),
        "my.file: there are several folders in it: '.', 'copy'",
    ),
    "two corpora": (
        lambda: zipped({**FILES, "corpus.jsonl.gz": b""}),
        "my.file: corpus.jsonl and corpus.jsonl.gz: only one of them can count",
    ),
    "path upwards": (
        lambda: tarred({"../corpus.jsonl": b""}),
        "my.file: the member '../corpus.jsonl' has a name that leads out of the archive",
    ),
    "absolute path": (
        lambda: tarred({"/etc/corpus.jsonl": b""}),
        "my.file: the member '/etc/corpus.jsonl' has a name that leads out of the archive",
    ),
    "symbolic link": (
        lambda: tarred(LINK, kind=tarfile.SYMTYPE),
        "my.file: the member 'corpus.jsonl' is a link or a device, not a file",
    ),
    "hard link": (
        lambda: tarred(LINK, kind=tarfile.LNKTYPE),
        "my.file: the member 'corpus.jsonl' is a link or a device, not a file",
    ),
    "device": (
        lambda: tarred(LINK, kind=tarfile.CHRTYPE),
        "my.file: the member 'corpus.jsonl' is a link or a device, not a file",
    ),
    "member twice": (
        lambda: tarred({**FILES, "./corpus.jsonl": b"other"}),
        "my.file: the member './corpus.jsonl' stands twice",
    ),
    "tar cut short": (
        lambda: tarred({"corpus.jsonl": b"x" * 100_000}, "w:")[:5000],
        "my.file: the archive is cut short",
    ),
    "gzip cut short": (
        lambda: tarred({"corpus.jsonl": bytes(range(256)) * 3000})[:900],
        "my.file: the gzip is cut short",
    ),
    "gzip bomb": (
        lambda: tarred({"corpus.jsonl": bytes(16 << 20)}),
        "my.file: the gzip unpacks to more than 500 times its size",
    ),
    "a POSIX header of 2 MiB": (
        lambda: extended(tarfile.XHDTYPE, 2 << 20),
        "my.file: a header in the archive is longer than the limit of 1048576 bytes",
    ),
    "a long name of 2 MiB": (
        lambda: extended(tarfile.GNUTYPE_LONGNAME, 2 << 20),
        "my.file: a header in the archive is longer than the limit of 1048576 bytes",
    ),
    "POSIX headers without end": (lambda: extended(tarfile.XHDTYPE, 0) * 3000, "my.file: the archive is cut short"),
    "sparse": (
        lambda: extended(tarfile.GNUTYPE_SPARSE, 0) + plain_tar({}),
        "my.file: the member 'corpus.jsonl' is a link or a device, not a file",
    ),
    "zip with a damaged member": (
        lambda: zipped(FILES).replace(b"Bees make honey", b"Bees make money"),
        "corpus.jsonl: the member is damaged (Bad CRC-32 for file 'corpus.jsonl')",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_refused_with_its_reason(name: str) -> None:
    make, message = HOSTILE[name]
    with pytest.raises(FormatError) as refused:
        members(make())
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"members": 2}, "my.file:3: more than 2 files in the archive"),
        ({"unpacked": 5000}, "my.file: larger than the limit of 5000 bytes (unpacked)"),
    ],
)
def test_limits_of_tars(limits: dict[str, int], message: str) -> None:
    with pytest.raises(FormatError) as refused:
        members(tarred({**FILES, "corpus.jsonl": b"x" * 20_000}), **limits)
    assert str(refused.value) == message
