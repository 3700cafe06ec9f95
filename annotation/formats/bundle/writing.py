"""Writing a bundle: row by row into the zip, which depends on nothing but what goes in."""

import hashlib
import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

from annotation.formats.bundle.layout import MANIFEST, Manifest, MemberFacts, file_member, member_of
from annotation.formats.bundle.row_schema import line_of
from annotation.formats.bundle.rows import CollectionFacts

CHUNK = 1 << 20
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can name
_PLAIN_FILE = 0o100644 << 16


class _Hashed:
    """Passes bytes on and remembers their hash and number."""

    def __init__(self, target: BinaryIO) -> None:
        self.target, self.digest, self.size = target, hashlib.sha256(), 0

    def write(self, data: bytes) -> int:
        self.digest.update(data)
        self.size += len(data)
        return self.target.write(data)


class BundleWriter:
    """A context manager around the bundle's file, which must be seekable. `finish` writes `bundle.json`, last."""

    def __init__(self, file: BinaryIO) -> None:
        self.archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self.members: dict[str, MemberFacts] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.archive.close()

    def add_rows(self, name: str, rows: Iterable[object]) -> int:
        """A member of one line a row; returns how many."""
        count = 0
        with self._member(member_of(name)) as raw:
            member = _Hashed(raw)
            for row in rows:
                member.write(line_of(row) + b"\n")
                count += 1
        self.members[member_of(name)] = MemberFacts(member.digest.hexdigest(), member.size, count)
        return count

    def add_file(self, sha: str, path: Path) -> None:
        """A stored file under its hash; one that is there already is not written again."""
        name = file_member(sha)
        if name in self.members:
            return
        with path.open("rb") as source, self._member(name) as raw:
            member = _Hashed(raw)
            shutil.copyfileobj(source, cast("BinaryIO", member), CHUNK)
        if member.digest.hexdigest() != sha:
            raise ValueError(f"the stored file {sha} is damaged")
        self.members[name] = MemberFacts(sha, member.size, None)

    def finish(self, collection: CollectionFacts) -> Manifest:
        manifest = Manifest(collection, self.members)
        with self._member(MANIFEST) as member:
            member.write(manifest.to_json())
        return manifest

    def _member(self, name: str) -> BinaryIO:
        facts = zipfile.ZipInfo(name, _EARLIEST)
        facts.compress_type, facts.external_attr, facts.create_system = zipfile.ZIP_DEFLATED, _PLAIN_FILE, 3
        return cast("BinaryIO", self.archive.open(facts, "w", force_zip64=True))
