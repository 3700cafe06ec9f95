"""What a backup says of itself: every member with size and SHA-256, every table with columns and rows."""

import json
import re
from dataclasses import asdict, dataclass, field

FORM = 1  # of the file; a reader refuses a higher one
MANIFEST = "manifest.json"
KEY = "secret_key"
# Sessions are signed by the key and worth nothing without it; an installation is known by it.
WITH_KEY_ALONE = frozenset({"annotation_installation", "django_session"})
# What the worker makes anew: the index of the search among documents, of which part is no table of a model, and the
# columns of judgments and what was worked out from them, whose files no backup holds.
MADE_ANEW = frozenset(
    {"annotation_documentindex", "annotation_documentwords", "annotation_keptcolumns", "annotation_keptresult"}
)
_FILE = re.compile(r"files/[0-9a-f]{64}")


class BackupError(Exception):
    """The backup cannot be made or restored; the message says why. Nothing was changed."""


@dataclass(frozen=True)
class Member:
    size: int
    sha256: str


@dataclass(frozen=True)
class Table:
    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """`migrations`: those applied, as pairs of app and name. `missing`: files that rows name and that were not there,
    or damaged, when the backup was made."""

    version: str
    made_at: str
    database: str
    migrations: tuple[tuple[str, str], ...]
    tables: dict[str, Table]
    members: dict[str, Member]
    missing: tuple[str, ...] = ()
    form: int = field(default=FORM)

    @property
    def has_key(self) -> bool:
        return KEY in self.members

    @property
    def shas(self) -> list[str]:
        """The names of the stored files."""
        return [name.removeprefix("files/") for name in self.members if name.startswith("files/")]

    @property
    def n_rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    def as_bytes(self) -> bytes:
        return json.dumps({"touchstone_backup": self.form, **asdict(self)}, indent=1).encode()


def table_member(name: str) -> str:
    return f"tables/{name}.jsonl"


def file_member(sha: str) -> str:
    return f"files/{sha}"


def parse_manifest(data: bytes) -> Manifest:
    """Raises `BackupError` for anything that is not a manifest of a form we read."""
    try:
        raw = json.loads(data)
        form = raw.pop("touchstone_backup")
        if not isinstance(form, int) or form > FORM:
            raise BackupError(
                f"This backup has form {form}; this Touchstone reads forms up to {FORM}. Upgrade it first."
            )
        manifest = Manifest(
            version=str(raw["version"]),
            made_at=str(raw["made_at"]),
            database=str(raw["database"]),
            migrations=tuple((str(app), str(name)) for app, name in raw["migrations"]),
            tables={name: Table(tuple(table["columns"]), int(table["rows"])) for name, table in raw["tables"].items()},
            members={name: Member(int(each["size"]), each["sha256"]) for name, each in raw["members"].items()},
            missing=tuple(raw["missing"]),
            form=form,
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise BackupError("The manifest of this backup cannot be read.") from fault
    _require_complete(manifest)
    return manifest


def _require_complete(manifest: Manifest) -> None:
    expected = {table_member(name) for name in manifest.tables}
    odd = expected - manifest.members.keys()
    odd |= {name for name in manifest.members.keys() - expected - {KEY} if not _FILE.fullmatch(name)}
    if odd:
        raise BackupError(f"The manifest of this backup contradicts itself: {min(odd)}.")
