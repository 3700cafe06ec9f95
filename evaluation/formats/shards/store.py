"""A folder of files, local or wherever fsspec reaches (`s3://bucket/corpus`)."""

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

SEAL = 64  # bytes behind a result: the SHA-256 of those before them, in hex
STAMPS = ("ETag", "etag", "mtime", "LastModified", "last_modified", "created")
CHUNK = 1 << 22

Buffer: TypeAlias = bytes | mmap


@dataclass(frozen=True)
class Entry:
    """A file; `stamp` changes when its content does, and is empty where the place does not tell."""

    name: str
    size: int
    stamp: str


class Store:
    """Names are those of files that lie directly in the folder.

    Raises `ValueError` for an address of a kind that is not known, or for which a package is missing; all methods
    `OSError` for what cannot be reached.
    """

    def __init__(self, url: str) -> None:
        import fsspec  # noqa: PLC0415 (comes with the app: the help must do without)
        from fsspec.implementations.local import LocalFileSystem  # noqa: PLC0415

        self.url = url
        try:
            self.fs, self.root = fsspec.core.url_to_fs(url)
        except ImportError as reason:
            raise ValueError(f"{url}: {reason}") from reason
        self.is_local = isinstance(self.fs, LocalFileSystem)

    def files(self) -> list[Entry]:
        """In the order of their names; none where there is no such folder."""
        with _errors_of_files():
            if not self.fs.isdir(self.root):
                return []
            files = [one for one in self.fs.ls(self.root, detail=True, refresh=True) if one["type"] == "file"]
        entries = [Entry(str(one["name"]).rsplit("/", 1)[-1], int(one["size"] or 0), _stamp(one)) for one in files]
        return sorted(entries, key=lambda entry: entry.name)

    def has(self, name: str) -> bool:
        with _errors_of_files():
            self.fs.invalidate_cache(self.root)
            return bool(self.fs.exists(self._path(name)))

    def read(self, name: str, start: int = 0, end: int | None = None) -> bytes:
        """The bytes from `start` to before `end`; all that follow, where that is None."""
        if start == end:
            return b""
        with _errors_of_files():
            return bytes(self.fs.cat_file(self._path(name), start=start or None, end=end))

    def write(self, name: str, data: bytes) -> None:
        """Whole or not at all: object stores put files so, and a local one is moved into its place."""
        with _errors_of_files():
            self.fs.makedirs(self.root, exist_ok=True)
            if not self.is_local:
                self.fs.pipe_file(self._path(name), data)
                return
        incoming = Path(self._path(f".{name}-{secrets.token_hex(4)}"))
        try:
            incoming.write_bytes(data)
            incoming.replace(self._path(name))
        finally:
            incoming.unlink(missing_ok=True)

    def write_result(self, name: str, data: bytes) -> None:
        """A file that is named by what it was made from: its last bytes say that the others are as they were written.

        They are checked by `read_result`, and by `whole` in a file that is here.
        """
        self.write(name, data + hashlib.sha256(data).hexdigest().encode())

    def read_result(self, name: str) -> bytes:
        """Raises `ValueError` where it is damaged, and takes it away."""
        return bytes(self.whole(name, self.read(name)))

    def whole(self, name: str, data: Buffer) -> memoryview:
        """What was written, of the bytes of a result. Raises as `read_result`."""
        view = memoryview(data)
        if hashlib.sha256(view[:-SEAL]).hexdigest().encode() != bytes(view[-SEAL:]):
            raise self.take_away(name)
        return view[:-SEAL]

    def take_away(self, name: str) -> ValueError:
        """A damaged file: what is to be raised. Another worker may have found it, too, and been quicker."""
        with suppress(FileNotFoundError), _errors_of_files():
            self.fs.rm_file(self._path(name))
        return ValueError(f"{self.url}: {name} was damaged and has been taken away: the same command makes it again")

    @contextmanager
    def local(self, names: Sequence[str]) -> Iterator[Path]:
        """The folder where these files lie on this machine: itself, or a copy that is gone afterwards."""
        if self.is_local:
            yield Path(self.root)
            return
        with TemporaryDirectory(prefix="touchstone-part-") as folder:
            with _errors_of_files():
                for name in names:
                    self.fs.get_file(self._path(name), str(Path(folder) / name))
            yield Path(folder)

    def _path(self, name: str) -> str:
        return f"{self.root.rstrip('/')}/{name}"


@contextmanager
def _errors_of_files() -> Iterator[None]:
    """Libraries behind fsspec have errors of their own for a host that does not answer and a key that is missing."""
    try:
        yield
    except (OSError, ValueError):
        raise
    except Exception as fault:
        raise OSError(f"{type(fault).__name__}: {fault}") from fault


def sha256_of(files: Sequence[Path]) -> str:
    """Of the files one after the other, each behind its length."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.stat().st_size.to_bytes(8, "little"))
        with file.open("rb") as stream:
            while piece := stream.read(CHUNK):
                digest.update(piece)
    return digest.hexdigest()


def _stamp(info: dict[str, object]) -> str:
    return next((str(info[name]) for name in STAMPS if info.get(name) is not None), "")
