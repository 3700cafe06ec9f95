"""The members of a BEIR folder, whatever it is packed in, and whether or not it lies in a folder of its own.

A zip is read in place. A tar, plain or gzip, is gone through once; the members that count are
copied to temporary files, as a tar cannot be read in another order. Members that a BEIR folder does
not have are left aside.
"""

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, cast

from annotation.formats.bundle.zip_archive import MAGIC, ZIP_LIMITS, ZipLimits, ZipMember, open_zip
from annotation.formats.fields import shown
from annotation.formats.folder.unpacking import is_tar, unpacked_members
from annotation.formats.problems import Problems

_TEXTS = {"queries.jsonl": "topics", "corpus.jsonl": "documents"}
_QRELS = re.compile(r"qrels/([^/]+)\.tsv")
_SHOWN = 10


@dataclass(frozen=True)
class Member:
    """`kind` is topics, documents or qrels; `name` of qrels is that of their file, without its ending.

    `size` in bytes, as the member is opened.
    """

    path: str
    kind: str
    name: str = ""
    size: int = 0


@dataclass(frozen=True)
class Folder:
    """`members`: topics, then documents, then qrels by name. `left` are the paths of all others."""

    members: Sequence[Member]
    left: Sequence[str]
    open: Callable[[str], BinaryIO]


@contextmanager
def open_folder(stream: BinaryIO, problems: Problems, limits: ZipLimits = ZIP_LIMITS) -> Iterator[Folder]:
    """The folder in the file, as long as the block runs. Raises `FormatError` for what is none, naming the member."""
    beginning = stream.read(len(MAGIC))
    stream.seek(0)
    if beginning == MAGIC:
        with open_zip(stream, problems, limits) as archive:
            sizes = {member.filename: member.file_size for member in archive.infolist() if not member.is_dir()}
            yield _folder(sizes, problems, lambda path: cast("BinaryIO", ZipMember(archive, path)))
    elif is_tar(stream):
        with unpacked_members(
            stream, problems, limits, is_member=lambda path: _recognised_member(path) is not None
        ) as files:
            sizes = {path: file.tell() if file else 0 for path, file in files.items()}
            yield _folder(sizes, problems, _opener(files))
    else:
        raise problems.stop(0, "this is neither a zip nor a tar with a BEIR folder in it")


def is_folder(stream: BinaryIO) -> bool:
    """Whether this is packed as a BEIR folder may be; the stream stands at its beginning again."""
    beginning = stream.read(len(MAGIC))
    stream.seek(0)
    return beginning == MAGIC or is_tar(stream)


def pack_folder(folder: Path, file: BinaryIO) -> None:
    """A folder of the disk as a zip. Raises `FormatError` where there is nothing in it to pack."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    path_by_name = {path.relative_to(folder).as_posix(): path for path in paths}
    members = {name: path for name, path in path_by_name.items() if _recognised_member(name) is not None}
    if not members:
        raise Problems(folder.name).stop(0, _NOTHING)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, path in members.items():
            archive.write(path, name)


_NOTHING = "this is no BEIR folder: there is no corpus.jsonl, queries.jsonl or qrels/….tsv in it"


def _opener(files: dict[str, BinaryIO | None]) -> Callable[[str], BinaryIO]:
    def opened(path: str) -> BinaryIO:
        file = files[path]
        assert file is not None
        file.seek(0)
        return file

    return opened


def _folder(sizes: Mapping[str, int], problems: Problems, opened: Callable[[str], BinaryIO]) -> Folder:
    member_by_path = {path: match for path in sizes if (match := _recognised_member(path)) is not None}
    tops = {top for top, _ in member_by_path.values()}
    if not member_by_path:
        raise problems.stop(0, _NOTHING)
    if len(tops) > 1:
        raise problems.stop(
            0, f"there are several folders in it: {', '.join(shown(top or '.') for top in sorted(tops))}"
        )
    members = [replace(member, size=sizes[path]) for path, (_, member) in member_by_path.items()]
    for kind in ("topics", "documents"):
        same = [member.path for member in members if member.kind == kind]
        if len(same) > 1:
            raise problems.stop(0, f"{same[0]} and {same[1]}: only one of them can count")
    left = [path for path in sizes if path not in member_by_path]
    if left:
        further = f" and {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
        problems.note(0, f"left aside: {', '.join(left[:_SHOWN])}{further}")
    order = ["topics", "documents", "qrels"]
    return Folder(sorted(members, key=lambda member: (order.index(member.kind), member.name)), left, opened)


def _recognised_member(path: str) -> tuple[str, Member] | None:
    """The folder around and what the member is; None for one that does not count."""
    plain = path.removeprefix("./").removesuffix(".gz")
    top, _, within = plain.partition("/")
    for around, inner in (("", plain), (top, within)):
        if inner in _TEXTS:
            return around, Member(path, _TEXTS[inner])
        qrels = _QRELS.fullmatch(inner)
        if qrels:
            return around, Member(path, "qrels", qrels[1])
    return None
