"""What a bundle is: a zip of `bundle.json`, JSON lines for each kind of row, and files under their hashes."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from annotation.formats.bundle.row_schema import Row, row_of, spell
from annotation.formats.bundle.rows import VERSION, CollectionFacts, Count, Milliseconds, Sha256
from annotation.formats.objects import Json

FORMAT = "touchstone bundle"
READABLE = range(1, VERSION + 1)
MANIFEST = "bundle.json"
MANIFEST_LIMIT = 16 << 20  # bytes
FILES = "files/"

_FILE = re.compile(r"files/[0-9a-f]{64}\Z", re.ASCII)


class RowError(Exception):
    """A row that cannot be stored: `index` in its portion, and why."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(reason)
        self.index, self.reason = index, reason


@dataclass(frozen=True)
class MemberFacts:
    """`rows` is None for a file."""

    sha256: Sha256
    size: Milliseconds
    rows: Count | None


@dataclass(frozen=True)
class Manifest:
    collection: CollectionFacts
    members: Mapping[str, MemberFacts]
    version: int = VERSION

    def to_json(self) -> bytes:
        """One content, one spelling."""
        manifest = {
            "format": FORMAT,
            "version": self.version,
            "collection": asdict(self.collection),
            "members": {name: asdict(facts) for name, facts in self.members.items()},
        }
        return json.dumps(manifest, sort_keys=True, ensure_ascii=False, indent=1, default=spell).encode() + b"\n"


def manifest_of(content: Mapping[str, Json]) -> Manifest:
    """What `Manifest.to_json` wrote. Raises `ValueError` for anything else."""
    if content.get("format") != FORMAT:
        raise ValueError(f"this is no {FORMAT}: its format is not {FORMAT!r}")
    version = content.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version not in READABLE:
        raise ValueError(f"a bundle of version {version!r}; this program reads versions {READABLE[0]} to {VERSION}")
    if content.keys() != {"format", "version", "collection", "members"}:
        raise ValueError("exactly format, version, collection and members are expected")
    collection, members = content["collection"], content["members"]
    if not isinstance(collection, dict) or not isinstance(members, dict):
        raise ValueError("collection and members are objects")
    return Manifest(
        _row("collection", CollectionFacts, collection, version=version),
        {name: _row(name, MemberFacts, facts) for name, facts in members.items()},
        version,
    )


def _row(name: str, kind: type[Row], content: Json, *, version: int = VERSION) -> Row:
    if not isinstance(content, dict):
        raise ValueError(f"{name}: an object is expected")
    try:
        return row_of(kind, content, version=version)
    except ValueError as fault:
        raise ValueError(f"{name}: {fault}") from fault


def member_of(name: str) -> str:
    """The member that holds rows of this kind."""
    return f"{name}.jsonl"


def file_member(sha: str) -> str:
    return FILES + sha


def is_file(member: str) -> bool:
    return bool(_FILE.match(member))
