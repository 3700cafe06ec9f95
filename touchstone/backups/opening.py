"""Proving a backup whole before anything is made of it."""

import hashlib
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from zipfile import BadZipFile, ZipFile

from annotation.formats.store import CHUNK
from annotation.text.watch import Watch
from touchstone.backups.manifest import MANIFEST, BackupError, Manifest, file_member, parse_manifest, table_member
from touchstone.backups.saving import SEAL, digest_before_seal

MOST_MANIFEST = 1 << 28  # bytes
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError)


@dataclass(frozen=True)
class Opened:
    archive: ZipFile
    manifest: Manifest

    def lines(self, table: str) -> Iterator[bytes]:
        with self.archive.open(table_member(table)) as stream:
            yield from stream


@contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """Raises `BackupError` for a file that is not a backup, or whose bytes are not those that were written."""
    try:
        file = path.open("rb")
    except OSError as fault:
        raise BackupError(f"{path}: {fault.strerror}") from fault
    with file:
        _require_sealed(file, path)
        with _archive(file, path) as archive:
            yield Opened(archive, _manifest(archive))


def verify_members(backup: Opened, *, watch: Watch) -> None:
    """Read everything once. Raises `BackupError` unless the members are exactly those of the manifest."""
    manifest = backup.manifest
    there = sorted(info.filename for info in backup.archive.infolist())
    if there != sorted([*manifest.members, MANIFEST]):
        odd = set(there) ^ {*manifest.members, MANIFEST} or {"a member that is there twice"}
        raise BackupError(f"The backup does not hold what its manifest lists: {min(odd)}.")
    n_lines = {table_member(name): table.rows for name, table in manifest.tables.items()}
    for at, (name, member) in enumerate(manifest.members.items()):
        watch(at, len(manifest.members), f"Checking {name}")
        size, sha, lines = _measured(backup.archive, name)
        wrong = (size, sha) != (member.size, member.sha256) or lines != n_lines.get(name, lines)
        if wrong or (name == file_member(name[-64:]) and sha != name[-64:]):
            raise BackupError(f"{name} in the backup is not what the manifest says.")


def _require_sealed(file: IO[bytes], path: Path) -> None:
    whole = digest_before_seal(file)
    if file.seek(0, os.SEEK_END) > SEAL:
        file.seek(-SEAL, os.SEEK_END)
        if file.read() == whole.encode():
            return
    raise BackupError(f"{path} is not a whole backup: it is damaged, cut off, or something else.")


@contextmanager
def _archive(file: IO[bytes], path: Path) -> Iterator[ZipFile]:
    try:
        archive = ZipFile(file)
    except _BROKEN as fault:
        raise BackupError(f"{path} is no backup: {fault}.") from fault
    with archive:
        yield archive


def _manifest(archive: ZipFile) -> Manifest:
    try:
        if archive.getinfo(MANIFEST).file_size > MOST_MANIFEST:
            raise BackupError("The manifest of this backup is too long.")
        data = archive.read(MANIFEST)
    except _BROKEN as fault:
        raise BackupError("The backup has no readable manifest.") from fault
    return parse_manifest(data)


def _measured(archive: ZipFile, name: str) -> tuple[int, str, int]:
    """Size, SHA-256 and number of line ends of a member."""
    digest, size, lines = hashlib.sha256(), 0, 0
    try:
        with archive.open(name) as stream:
            while data := stream.read(CHUNK):
                digest.update(data)
                size += len(data)
                lines += data.count(b"\n")
    except _BROKEN as fault:
        raise BackupError(f"{name} in the backup cannot be read: {fault}.") from fault
    return size, digest.hexdigest(), lines
