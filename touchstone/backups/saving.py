"""Making a backup: the rows of one moment, then the files they name."""

import hashlib
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.db import connection
from django.utils import timezone
from isal.isal_zlib import DEFLATED, MAX_WBITS, compressobj

from annotation.formats.store import CHUNK
from annotation.kernel.store import stored_files
from annotation.text.watch import Watch
from touchstone import __version__
from touchstone.backups import naming, tables
from touchstone.backups.dumping import dumped
from touchstone.backups.manifest import (
    KEY,
    MADE_ANEW,
    MANIFEST,
    WITH_KEY_ALONE,
    BackupError,
    Manifest,
    Member,
    Table,
    file_member,
    table_member,
)

AHEAD = 32  # blocks of lines that may wait to be packed
SEAL = 64  # the file ends in the SHA-256, in hex, of all that stands before


@dataclass(frozen=True)
class Saved:
    path: Path
    size: int
    sha256: str
    manifest: Manifest


@dataclass
class _Sink:
    """A member while it is written."""

    stream: IO[bytes]
    n: int = 0

    def __post_init__(self) -> None:
        self.digest = hashlib.sha256()

    def write(self, data: bytes | bytearray) -> None:
        self.stream.write(data)
        self.digest.update(data)
        self.n += len(data)

    @property
    def member(self) -> Member:
        return Member(self.n, self.digest.hexdigest())


@dataclass(frozen=True)
class _Rows:
    """What was read of the database at one moment."""

    migrations: list[tuple[str, str]]
    tables: dict[str, Table]
    files: dict[str, str]
    mentioned: set[str]


def make_backup(path: Path, *, with_key: bool = False, despite_damage: bool = False, watch: Watch) -> Saved:
    """Write a backup to `path`, readable by its owner alone; the file appears when it is whole.

    People may judge and workers work meanwhile. The database is read first: files are written before the rows that
    name them and never changed, so all that those rows name is there afterwards. Raises `BackupError` if `path` is
    taken, and for files that are missing or damaged unless `despite_damage`, when the manifest lists them.
    """
    if path.exists():
        raise BackupError(f"{path} is there already; a backup never replaces another file.")
    with _draft(path) as draft:
        manifest = _write(draft, with_key=with_key, despite_damage=despite_damage, watch=watch)
        sha = _seal(draft)
        size = draft.stat().st_size
    return Saved(path, size, sha, manifest)


@contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """A file beside `path` that becomes `path` at the end, or is removed."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield draft
        os.link(draft, path)  # unlike a rename it never replaces
    except FileExistsError as taken:
        raise BackupError(f"{path} is there already; a backup never replaces another file.") from taken
    except OSError as fault:
        raise BackupError(f"{path}: {fault.strerror}") from fault
    finally:
        draft.unlink(missing_ok=True)


def _write(draft: Path, *, with_key: bool, despite_damage: bool, watch: Watch) -> Manifest:
    members: dict[str, Member] = {}
    with ZipFile(draft, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        made_at = timezone.now()
        rows = _write_tables(archive, members, with_key=with_key, watch=watch)
        missing = _write_files(archive, members, rows, watch=watch)
        if missing and not despite_damage:
            named = "; ".join(f"{sha}, named by {column}" for sha, column in sorted(missing.items())[:5])
            raise BackupError(f"{len(missing)} stored files are missing or damaged: {named}.")
        if with_key:
            with _member(archive, members, KEY) as sink:
                sink.write(f"{settings.SECRET_KEY}\n".encode())
        manifest = Manifest(
            version=__version__,
            made_at=made_at.isoformat(),
            database=connection.vendor,
            migrations=tuple(rows.migrations),
            tables=rows.tables,
            members=members,
            missing=tuple(sorted(missing)),
        )
        archive.writestr(MANIFEST, manifest.as_bytes())
        archive.comment = b"0" * SEAL
    return manifest


def _write_tables(archive: ZipFile, members: dict[str, Member], *, with_key: bool, watch: Watch) -> _Rows:
    with tables.snapshot():
        migrations = tables.applied_migrations()
        if not migrations:
            raise BackupError("The database has no tables: there is nothing to save.")
        models = {name: model for name, model in tables.tables_at(migrations).items() if name not in MADE_ANEW}
        written = {}
        for at, (name, model) in enumerate(sorted(models.items())):
            if with_key or name not in WITH_KEY_ALONE:
                watch(at, len(models), f"Saving {name}")
                written[name] = _write_table(archive, members, name, model)
        return _Rows(migrations, written, naming.named_files(models), naming.mentioned(models))


def _write_table(archive: ZipFile, members: dict[str, Member], name: str, model: tables.Model) -> Table:
    """Another thread packs what is read, and so takes no time of its own where there are two processors."""
    waiting, n_rows = deque[Future[None]](), 0
    with _member(archive, members, table_member(name)) as sink, ThreadPoolExecutor(1) as packing:
        for n_lines, lines in dumped(model):
            n_rows += n_lines
            waiting.append(packing.submit(sink.write, lines))
            if len(waiting) > AHEAD:
                waiting.popleft().result()
        for each in waiting:
            each.result()
    return Table(tables.columns_of(model), n_rows)


def _write_files(archive: ZipFile, members: dict[str, Member], rows: _Rows, *, watch: Watch) -> dict[str, str]:
    """Copy what the rows name; gives the files that are missing or damaged, with what names them."""
    files = stored_files()
    wanted = sorted(rows.files.keys() | (rows.mentioned & files.all_facts().keys()))
    missing = {}
    for at, sha in enumerate(wanted):
        watch(at, len(wanted), f"Saving file {at + 1} of {len(wanted)}")
        if not files.verify(sha):
            missing[sha] = rows.files.get(sha, "a JSON column")
            continue
        with files.path_of(sha).open("rb") as file, _member(archive, members, file_member(sha)) as sink:
            while data := file.read(CHUNK):
                sink.write(data)
    return missing


@contextmanager
def _member(archive: ZipFile, members: dict[str, Member], name: str) -> Iterator[_Sink]:
    with archive.open(name, "w", force_zip64=True) as stream:
        # zipfile has no door for another packer, and its own takes four times as long.
        stream._compressor = compressobj(1, DEFLATED, -MAX_WBITS)  # type: ignore[attr-defined]  # noqa: SLF001 -- above
        sink = _Sink(stream)
        yield sink
    members[name] = sink.member


def _seal(draft: Path) -> str:
    """Put the checksum of everything before it into the last bytes, which a zip leaves to a comment."""
    with draft.open("rb+") as file:
        sha = digest_before_seal(file)
        file.seek(-SEAL, os.SEEK_END)
        file.write(sha.encode())
        file.flush()
        os.fsync(file.fileno())
    return sha


def digest_before_seal(file: IO[bytes]) -> str:
    left = file.seek(0, os.SEEK_END) - SEAL
    file.seek(0)
    digest = hashlib.sha256()
    while left > 0 and (data := file.read(min(CHUNK, left))):
        digest.update(data)
        left -= len(data)
    return digest.hexdigest()
