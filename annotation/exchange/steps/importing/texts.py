"""What importing topics and importing documents have in common: compare with what is there, stage what is new.

A text that is here already is left alone, so that the same file twice changes nothing. Another text
under the same id is a problem, or, where the person has chosen so, a new version or left aside; a
text that was current once becomes current again.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, ClassVar

from django.db import connection, transaction
from django.db.models import QuerySet

from annotation.corpus.read.texts import with_current_text
from annotation.exchange.steps.importing.importer import Importer, preview_of
from annotation.formats.identity import sha256_of
from annotation.formats.problems import Problems
from annotation.kernel.bulk_rows import insert, portions, tell_planner
from annotation.kernel.jobs import JobRun
from annotation.kernel.store import stored_files
from annotation.kernel.visible import published
from annotation.models import Collection, Document, DocumentVersion, Import, Preview, Topic, TopicVersion
from annotation.text.counted import counted

PORTION = 1000  # rows compared at a time, and written in one transaction
UNDER_LOCK = 200  # the same on SQLite, where judging waits for it: some 30 ms of a processor
MANY = 10 * PORTION
SHOWN_ROWS, SHOWN_CHARACTERS = 10, 200


@dataclass(frozen=True)
class TextKind:
    """Topics or documents: their models, and `key`, the field of their external id."""

    noun: str
    key: str
    model: type[Any]
    version: type[Any]

    def visible(self, collection: Collection, ids: Sequence[str]) -> "QuerySet[Any]":
        """Those of these ids, without those of an import under way."""
        rows: QuerySet[Any] = QuerySet(self.model)
        return rows.filter(published(), collection=collection, **{f"{self.key}__in": ids})


TOPICS = TextKind("topic", "number", Topic, TopicVersion)
DOCUMENTS = TextKind("document", "docno", Document, DocumentVersion)


@dataclass(frozen=True)
class Text:
    """A row of a file on its way to a version: external id, the version's columns, their identity, the line."""

    key: str
    columns: dict[str, Any]
    sha256: str
    line: int


@dataclass
class Portion:
    """Some texts of a file, told apart by what is here already. `changed` has the key of the row they belong to;
    `skipped` are other texts under ids that are here, which the person wants left as they are; `first` are the first
    texts of rows that came by their ids alone, with judgments made elsewhere."""

    new: list[Text] = field(default_factory=list)
    unchanged: list[Text] = field(default_factory=list)
    changed: list[tuple[int, Text]] = field(default_factory=list)
    skipped: list[Text] = field(default_factory=list)
    first: list[tuple[int, Text]] = field(default_factory=list)


class TextImporter(Importer):
    """See `Importer`. A subclass says how its file is read, and what the preview shows."""

    kind: ClassVar[TextKind]
    columns: tuple[str, ...]  # of the preview

    def __init__(self, record: Import, run: JobRun) -> None:
        super().__init__(record, run)
        self.owner = f"{self.kind.noun}_id"
        self.turned: list[tuple[int, int]] = []  # rows that are here, each with the version that becomes current
        self.size = size_of_file(record)
        self.on_conflict = record.options.get("on_conflict", "refuse")
        self.counted = ("new", "unchanged", "changed", "skipped")[: 4 if self.on_conflict == "skip" else 3]

    @abstractmethod
    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Text]:
        """The texts of the file."""

    @abstractmethod
    def shown(self, text: Text) -> list[str]:
        """A row of the preview."""

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        return self._walk(stream, problems, lambda portion: None)

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        preview = self._walk(stream, problems, self._write)
        if dict(preview["counts"])["New"] > MANY:
            tell_planner(self.kind.model, self.kind.version)
        return preview

    def publish(self) -> None:
        """Make the wanted texts of older rows current; new rows become visible with the import itself.

        By their keys: a subquery PostgreSQL may plan for the few rows that it knows of, and take hours for many.
        """
        for pairs in portions(self.turned, PORTION):
            owners, versions = [owner for owner, _ in pairs], [version for _, version in pairs]
            self._versions().filter(**{f"{self.owner}__in": owners}, is_current=True).update(is_current=False)
            self._versions().filter(pk__in=versions).update(is_current=True)

    def _walk(self, stream: BinaryIO, problems: Problems, take: Callable[[Portion], None]) -> Preview:
        """Read to the end, portion by portion; nothing is taken once there is a problem."""
        tally: Counter[str] = Counter()
        rows: list[list[str]] = []
        for texts in portions(self.read(stream, problems), rows_at_once()):
            portion = self._compared(texts, problems)
            rows += [self.shown(text) for text in texts[: SHOWN_ROWS - len(rows)]]
            tally.update({name: len(getattr(portion, name)) for name in self.counted})
            tally["new"] += len(portion.first)
            if not problems:
                take(portion)
            self._report(stream, tally.total())
        counts = [(name.capitalize(), tally[name]) for name in self.counted]
        return preview_of(counts, self.columns, rows)

    def _compared(self, texts: Sequence[Text], problems: Problems) -> Portion:
        here, portion = self._current([text.key for text in texts]), Portion()
        for text in texts:
            owner, sha = here.get(text.key, (0, ""))
            if not owner:
                portion.new.append(text)
            elif not sha:
                portion.first.append((owner, text))
            elif sha == text.sha256:
                portion.unchanged.append(text)
            elif self.on_conflict == "version":
                portion.changed.append((owner, text))
            elif self.on_conflict == "skip":
                portion.skipped.append(text)
            else:
                problems.add(text.line, f"{self.kind.noun} {text.key} is already here with another text")
        return portion

    def _write(self, portion: Portion) -> None:
        with transaction.atomic():
            self.run.fence()
            owners = self._create([text.key for text in portion.new])
            versions = [
                self._version(owner, text, current=True) for owner, text in zip(owners, portion.new, strict=True)
            ]
            earlier = self._earlier(portion)
            staged = [*portion.first, *(each for each in portion.changed if each[0] not in earlier)]
            later = [self._version(owner, text, current=False) for owner, text in staged]
            insert([*versions, *later])
        self.turned += [(owner, earlier[owner]) for owner, _ in portion.changed if owner in earlier]
        self.turned += [(owner, version.pk) for (owner, _), version in zip(staged, later, strict=True)]

    def _earlier(self, portion: Portion) -> dict[int, int]:
        """For each row whose wanted text it had before: the primary key of that version."""
        pairs = {(owner, text.sha256) for owner, text in portion.changed}
        owners = [owner for owner, _ in pairs]
        versions = self._versions().filter(**{f"{self.owner}__in": owners}).values_list("pk", self.owner, "sha256")
        return {owner: pk for pk, owner, sha in versions if (owner, sha) in pairs} if owners else {}

    def _current(self, keys: Sequence[str]) -> dict[str, tuple[int, str]]:
        """For each of the external ids that is here: primary key of its row, identity of its current text or ""."""
        rows = with_current_text(self.kind.visible(self.collection, keys))
        columns = rows.values_list(self.kind.key, "pk", "current__sha256")
        return {key: (owner, sha or "") for key, owner, sha in columns}

    def _create(self, keys: Sequence[str]) -> list[int]:
        """Rows under these external ids, unpublished; their primary keys in the same order."""
        shared = {"collection": self.collection, "brought_by": self.record}
        rows = [self.kind.model(**shared, **{self.kind.key: key}) for key in keys]
        insert(rows)
        return [row.pk for row in rows]

    def _versions(self) -> "QuerySet[Any]":
        """All versions of the kind in this collection."""
        return QuerySet(self.kind.version).filter(collection=self.collection)

    def _version(self, owner: int, text: Text, *, current: bool) -> Any:
        """An unsaved version of the row `owner`."""
        return self.kind.version(
            collection=self.collection,
            sha256=text.sha256,
            is_current=current,
            brought_by=self.record,
            **{self.owner: owner},
            **text.columns,
        )

    def _report(self, stream: BinaryIO, n_texts: int) -> None:
        done, message = min(stream.tell(), self.size), f"{counted(n_texts, self.kind.noun)} read"
        self.run.report(done=done, total=self.size, message=message)


def rows_at_once() -> int:
    """Of one transaction."""
    return UNDER_LOCK if connection.vendor == "sqlite" else PORTION


def text_of(key: str, columns: dict[str, Any], line: int) -> Text:
    return Text(key, columns, sha256_of(columns), line)


def cut(text: str) -> str:
    """A value as the preview shows it."""
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


def size_of_file(record: Import) -> int:
    """Bytes of the kept file, packed as it came; 0 of one that is not kept yet."""
    return stored_files().facts_of(record.sha256).size if record.sha256 else 0
