"""Reads a bundle that may come from anybody: its manifest is checked before any row is used."""

import hashlib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, cast

from annotation.formats.bundle.layout import MANIFEST, MANIFEST_LIMIT, Manifest, is_file, manifest_of, member_of
from annotation.formats.bundle.row_schema import Row, row_of
from annotation.formats.bundle.zip_archive import ZIP_LIMITS, ZipLimits, ZipMember, open_zip
from annotation.formats.fields import shown
from annotation.formats.lines import Limits
from annotation.formats.objects import read_objects, strict_json
from annotation.formats.problems import FormatError, Problems

CHUNK = 1 << 20
LINES = Limits(file=64 << 30, line=64 << 20)  # a text may be long, and is escaped


class Bundle:
    """An open bundle, whose members are those that `bundle.json` names."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self.archive, self.manifest = archive, manifest

    @property
    def size(self) -> int:
        """Bytes of all members, unpacked."""
        return sum(facts.size for facts in self.manifest.members.values())

    def verify(self, watch: Callable[[int], None]) -> None:
        """Read every member and compare it with what `bundle.json` says. `watch` is told how many bytes are behind.

        Raises `FormatError`, which names the members that differ.
        """
        errors, done = list[FormatError](), 0
        for name, facts in self.manifest.members.items():
            problems = Problems(name)
            try:
                done = self._verify_member(name, facts.sha256, problems, watch, done)
            except FormatError as error:
                errors.append(error)
        if errors:
            raise FormatError([problem for error in errors for problem in error.problems])

    def _verify_member(self, name: str, sha: str, problems: Problems, watch: Callable[[int], None], done: int) -> int:
        digest = hashlib.sha256()
        with ZipMember(self.archive, name) as member:
            while chunk := member.read(CHUNK):
                digest.update(chunk)
                done += len(chunk)
                watch(done)
        if digest.hexdigest() != sha:
            raise problems.stop(0, f"its SHA-256 is not the one that {MANIFEST} gives")
        return done

    def has(self, name: str) -> bool:
        """Whether there are rows of this kind; an older bundle has fewer kinds."""
        return member_of(name) in self.manifest.members

    def rows(self, name: str, kind: type[Row], problems: Problems) -> Iterator[tuple[int, Row]]:
        """`(line, row)` of the member of this kind. Faulty lines go to `problems` and are left out."""
        with ZipMember(self.archive, member_of(name)) as stream:
            for line, content in read_objects(cast("BinaryIO", stream), problems, LINES):
                try:
                    row = row_of(kind, content, version=self.manifest.version)
                except ValueError as fault:
                    problems.add(line, str(fault))
                else:
                    yield line, row

    def open(self, member: str) -> BinaryIO:
        return cast("BinaryIO", ZipMember(self.archive, member))


def is_bundle(stream: BinaryIO) -> bool:
    """Whether this is a zip with a `bundle.json`; the stream stands at its beginning again."""
    try:
        return MANIFEST in open_zip(stream, Problems("")).namelist()
    except FormatError:
        return False
    finally:
        stream.seek(0)


def open_bundle(
    stream: BinaryIO, problems: Problems, *, kinds: Mapping[str, int], limits: ZipLimits = ZIP_LIMITS
) -> Bundle:
    """The bundle, once archive, `bundle.json` and list of members fit together. Raises `FormatError`.

    `kinds` names the kinds of rows that a bundle has, with the version since which it has them: each has to be there
    unless the bundle is of an earlier version, and no other may be.
    """
    archive = open_zip(stream, problems, limits)
    manifest = _manifest(archive, problems)
    _compare(archive, manifest, problems, kinds)
    problems.check()
    return Bundle(archive, manifest)


def _manifest(archive: zipfile.ZipFile, problems: Problems) -> Manifest:
    if MANIFEST not in archive.namelist():
        raise problems.stop(0, f"this is no bundle of Touchstone: there is no {MANIFEST} in it")
    own = Problems(MANIFEST)
    if archive.getinfo(MANIFEST).file_size > MANIFEST_LIMIT:
        raise own.stop(0, f"larger than the limit of {MANIFEST_LIMIT} bytes")
    with ZipMember(archive, MANIFEST) as member:
        text = member.read()
    try:
        content = strict_json(text.decode())
        if not isinstance(content, dict):
            raise ValueError("an object is expected")
        return manifest_of(content)
    except ValueError as fault:
        raise own.stop(0, str(fault)) from fault


def _compare(archive: zipfile.ZipFile, manifest: Manifest, problems: Problems, kinds: Mapping[str, int]) -> None:
    members = {member.filename: member for member in archive.infolist() if member.filename != MANIFEST}
    since = {member_of(name): version for name, version in kinds.items()}
    for name in sorted(since.keys() - manifest.members.keys()):
        if since[name] <= manifest.version:
            problems.add(0, f"{MANIFEST} does not name the member {name}")
    for name, facts in manifest.members.items():
        if name not in since and not is_file(name):
            problems.add(0, f"the member {shown(name)} is none that a bundle has")
        elif name not in members:
            problems.add(0, f"the member {name} is missing")
        elif members[name].file_size != facts.size:
            problems.add(0, f"the member {name} has {members[name].file_size} bytes, {MANIFEST} says {facts.size}")
    for name in sorted(members.keys() - manifest.members.keys()):
        problems.add(0, f"{MANIFEST} does not name the member {shown(name)}")
