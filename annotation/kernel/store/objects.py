"""Files in object storage that speaks S3, read through a folder of this machine.

An object's key is the file's path in a folder of files, `ab/abcdef…`: a folder copied as it is into
a bucket is the store. What comes is written here first, so that its hash is known; what is asked
for is fetched once, compared with its hash, and kept until nobody has asked for a week.
"""

import contextlib
import errno
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self

from django.db import connection, transaction

from annotation.formats.store import CHUNK, Incoming
from annotation.kernel.store.disk import DamagedError, DiskStore, Facts, StoreError, is_name

if TYPE_CHECKING:
    from minio import Minio

KEPT = 7 * 24 * 3600.0  # seconds that a file nobody asks for stays on this machine
DAY = 24 * 3600.0
CONNECT = 2.0  # seconds to wait for a connection
ANSWER, TRIES = 30.0, 3  # seconds to wait for the next bytes of a file, and how often to ask again
SOON, ONCE_MORE = 2.0, 1  # the same where something is asked about a file: whoever asks may be a page
LOCK = 7_283_746_501  # of PostgreSQL: several may put while nobody removes


class UnreachableError(StoreError):
    """The object storage does not answer, or refuses; the message says how."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.errno = errno.EHOSTUNREACH


@dataclass(frozen=True)
class Bucket:
    """Where, and as whom. `endpoint` is a whole address, https://host:port."""

    name: str
    endpoint: str
    region: str
    key_id: str
    secret: str = field(repr=False)  # stays out of logs and tracebacks


@dataclass(frozen=True)
class ObjectStore:
    """`cache` is this machine's part. Where the storage cannot be asked, all but writing here raise
    `UnreachableError`, an `OSError`."""

    bucket: Bucket
    cache: DiskStore
    prefix: str = ""

    @property
    def root(self) -> Path:
        return self.cache.root

    def put(self, data: bytes | BinaryIO) -> str:
        """As `DiskStore.put`. The bytes are in the storage when it returns."""
        sha = self.cache.put(data)
        self._send(sha, self.cache.path_of(sha))
        return sha

    def adopt(self, settled: Path) -> None:
        self._send(settled.name, settled)
        self.cache.adopt(settled)

    def path_of(self, sha: str) -> Path:
        """The file on this machine, fetched where it is not yet here. Raises `FileNotFoundError` and `DamagedError`."""
        path = self.cache.path_of(sha)
        try:
            if path.stat().st_mtime < time.time() - DAY:
                os.utime(path)
        except FileNotFoundError:
            self._fetch(sha)
        return path

    def replace_damaged(self, sha: str) -> None:
        """This machine's copy by what the storage has. Raises as `path_of`."""
        self._fetch(sha)

    def facts_of(self, sha: str) -> Facts:
        with _asking(sha):
            stat = self._client(SOON, ONCE_MORE).stat_object(self.bucket.name, self._key(sha))
        assert stat.last_modified is not None
        return Facts(stat.size or 0, stat.last_modified.timestamp())

    def exists(self, sha: str) -> bool:
        try:
            self.facts_of(sha)
        except FileNotFoundError:
            return False
        return True

    def verify(self, sha: str) -> bool:
        """Of the bytes in the storage, not of those kept here."""
        digest = hashlib.sha256()
        try:
            for piece in self._pieces(sha):
                digest.update(piece)
        except FileNotFoundError:
            return False
        return digest.hexdigest() == sha

    def all_facts(self) -> dict[str, Facts]:
        with _asking("the list of files"):
            objects = list(self._client().list_objects(self.bucket.name, self.prefix, recursive=True))
        facts = {}
        for each in objects:
            folder, _slash, name = (each.object_name or "").removeprefix(self.prefix).partition("/")
            if is_name(folder, name) and each.last_modified is not None:
                facts[name] = Facts(each.size or 0, each.last_modified.timestamp())
        return dict(sorted(facts.items()))

    def remove(self, sha: str, *, older_than: float) -> bool:
        """As `DiskStore.remove`. While somebody puts a file, none is taken away; who puts one meanwhile waits."""
        with _locked(alone=True) as is_alone:
            if not is_alone:
                return False
            try:
                if self.facts_of(sha).stored_at > time.time() - older_than:
                    return False
            except FileNotFoundError:
                return False
            self.discard(sha)
        return True

    def discard(self, sha: str) -> None:
        with _asking(sha):
            self._client().remove_object(self.bucket.name, self._key(sha))
        self.cache.discard(sha)

    def renew(self, sha: str) -> None:
        """Nothing: the storage's clock has stamped what was put."""

    def incoming(self) -> Incoming:
        return self.cache.incoming()

    def left_incoming(self, *, older_than: float) -> list[Path]:
        return self.cache.left_incoming(older_than=older_than)

    def sweep_incoming(self, *, older_than: float) -> int:
        """Also what is kept here, nobody has asked for lately, and the storage has whole."""
        for sha, facts in self.cache.all_facts().items():
            if facts.stored_at < time.time() - KEPT and self._has(sha, facts.size):
                self.cache.remove(sha, older_than=KEPT)
        return self.cache.sweep_incoming(older_than=older_than)

    def _has(self, sha: str, size: int) -> bool:
        """Whether what is here is not the only one: a folder that was not copied whole is no cache."""
        try:
            return self.facts_of(sha).size == size
        except OSError:
            return False

    def nameless_file(self) -> "contextlib.AbstractContextManager[BinaryIO]":
        return self.cache.nameless_file()

    def within(self, folder: str) -> Self:
        return replace(self, cache=self.cache.within(folder), prefix=f"{self.prefix}{folder}/")

    def _key(self, sha: str) -> str:
        return f"{self.prefix}{self.cache.path_of(sha).relative_to(self.root).as_posix()}"

    def _client(self, seconds: float = ANSWER, tries: int = TRIES) -> "Minio":
        return _client(self.bucket, os.getpid(), seconds, tries)

    def _send(self, sha: str, path: Path) -> None:
        with _locked(alone=False), _asking(sha):
            self._client().fput_object(self.bucket.name, self._key(sha), str(path))

    def _fetch(self, sha: str) -> None:
        with self.cache.incoming() as incoming:
            for piece in self._pieces(sha):
                incoming.take(piece)
            if incoming.sha256 != sha:
                raise DamagedError(sha)
            incoming.settle()

    def _pieces(self, sha: str) -> Iterator[bytes]:
        with _asking(sha):
            answer = self._client().get_object(self.bucket.name, self._key(sha))
            try:
                yield from answer.stream(CHUNK)
            finally:
                answer.close()
                answer.release_conn()


@lru_cache(maxsize=8)
def _client(bucket: Bucket, _process: int, seconds: float, tries: int) -> "Minio":
    """One for each process: connections are not shared with a child. Loaded where it is wanted, not before."""
    from minio import Minio  # noqa: PLC0415
    from urllib3 import PoolManager, Retry, Timeout  # noqa: PLC0415

    scheme, _, host = bucket.endpoint.rpartition("://")
    return Minio(
        host,
        access_key=bucket.key_id,
        secret_key=bucket.secret,
        secure=scheme != "http",
        region=bucket.region,
        http_client=PoolManager(
            timeout=Timeout(connect=CONNECT, read=seconds),
            retries=Retry(total=tries, backoff_factor=0.2, status_forcelist=[500, 502, 503, 504]),
        ),
    )


@contextmanager
def _asking(what: str) -> Iterator[None]:
    """Errors of the library as those of files."""
    from minio.error import MinioException, S3Error  # noqa: PLC0415
    from urllib3.exceptions import HTTPError  # noqa: PLC0415

    try:
        yield
    except S3Error as fault:
        if fault.code == "NoSuchKey":
            raise FileNotFoundError(f"there is no stored file {what}") from fault
        raise UnreachableError(f"the object storage refuses {what}: {fault.code}") from fault
    except (MinioException, HTTPError) as fault:
        raise UnreachableError(f"the object storage does not answer for {what}: {type(fault).__name__}") from fault


@contextmanager
def _locked(*, alone: bool) -> Iterator[bool]:
    """Storage knows no locks; the database that all machines share does. SQLite belongs to one machine.

    Together with others who put files; or alone, and False where somebody puts one.
    """
    if connection.vendor != "postgresql":
        yield True
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            if alone:
                cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
                (has_lock,) = cursor.fetchone()
            else:
                cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [LOCK])
                has_lock = True
        yield bool(has_lock)
