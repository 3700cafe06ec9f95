"""A BEIR folder: topics, documents and a snapshot for each file of qrels, all of them or nothing."""

from collections.abc import Callable, Iterator
from copy import copy
from typing import BinaryIO

from annotation.exchange.steps.importing.documents import DocumentImporter
from annotation.exchange.steps.importing.importer import Importer
from annotation.exchange.steps.importing.mistaken_kind import likely_collection, likely_kind
from annotation.exchange.steps.importing.qrels import QrelsImporter
from annotation.exchange.steps.importing.texts import TextImporter
from annotation.exchange.steps.importing.topics import TopicImporter
from annotation.formats.bundle import is_bundle
from annotation.formats.folder import Folder, Member, is_folder, open_folder
from annotation.formats.foreign import START, foreign_but_packed
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.jobs import JobRun
from annotation.kernel.store import FileStore, stored_files
from annotation.models import Import, Preview, PreviewTable, ReadAs

IMPORTERS: dict[str, Callable[[Import, JobRun], Importer]] = {
    "topics": TopicImporter,
    "documents": DocumentImporter,
    "qrels": QrelsImporter,
}
SHOWN_ROWS = 5
READ_AS = ReadAs(name="beir", title="BEIR folder", columns=[], mapped=False)

Step = Callable[[Importer, BinaryIO, Problems], Preview]


class BeirFolderImporter(Importer):
    """See `Importer`. Each member goes through the importer of its kind, as a part of this import.

    A snapshot is called as its file of qrels; with a name given, so, and where there are several, so with theirs.
    Files are kept in `files`; without it, where all stored files are.
    """

    def __init__(self, record: Import, run: JobRun, *, files: FileStore | None = None) -> None:
        super().__init__(record, run)
        self.files = files or stored_files()
        self.parts: list[Importer] = []
        self.snapshot_names: set[str] = set()  # snapshots

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        return self._through(stream, problems, lambda part, file, own: part.check(file, own))

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        return self._through(stream, problems, _staged)

    def publish(self) -> None:
        for part in self.parts:
            part.publish()

    def _through(self, stream: BinaryIO, problems: Problems, step: Step) -> Preview:
        """Every member, whatever is wrong with the one before: their faults are told together."""
        _refuse_others(stream, problems)
        total = Preview(counts=[], columns=[], rows=[], notes=[], facts={}, tables=[])
        with open_folder(stream, problems) as folder:
            self.record.preview["format"] = READ_AS
            for member, record in self._records(folder):
                part, own = self._part(member, record), Problems(member.path, keep=problems.keep)
                preview = _preview_of(part, folder, member, own, step)
                self._refuse_namesake(record, member, own)
                problems.take(own)
                self.parts.append(part)
                if preview:
                    _add_preview(total, member, preview, record.preview["format"]["title"])
        return total

    def _part(self, member: Member, record: Import) -> Importer:
        part = IMPORTERS[member.kind](record, self.run)
        if isinstance(part, QrelsImporter):
            part.files = self.files
        elif isinstance(part, TextImporter):
            part.size = member.size
        return part

    def _refuse_namesake(self, record: Import, member: Member, own: Problems) -> None:
        """`test.tsv` beside `test.tsv.gz`, or names too long to be told apart: one of the two would be lost."""
        if member.kind == "qrels":
            name = record.options["name"]
            if name in self.snapshot_names:
                own.add(0, f"another file of qrels would become the snapshot {name} too: only one of them can")
            self.snapshot_names.add(name)

    def _records(self, folder: Folder) -> Iterator[tuple[Member, Import]]:
        """The import itself, as the importer of each member is to see it."""
        several = sum(member.kind == "qrels" for member in folder.members) > 1
        for member in folder.members:
            record = copy(self.record)
            record.options = {"on_conflict": self.record.options.get("on_conflict", "refuse")}
            record.preview = {}
            if member.kind == "qrels":
                name = _snapshot_name(self.record.options.get("name", ""), member.name, several)
                record.options = {"name": name, "grades": self.record.options.get("grades", "")}
            yield member, record


def _refuse_others(stream: BinaryIO, problems: Problems) -> None:
    """A bundle, or a file of one kind, by what it is."""
    if is_bundle(stream):
        raise problems.stop(0, likely_collection(stream))
    if reason := foreign_but_packed(stream.read(START)):
        raise problems.stop(0, reason)
    stream.seek(0)
    if not is_folder(stream):
        like = likely_kind(stream, but=Import.Kind.COLLECTION)
        raise problems.stop(0, f"{like}this is neither a zip nor a tar with a BEIR folder in it")


def _staged(part: Importer, file: BinaryIO, own: Problems) -> Preview:
    """Qrels are checked again: what the check has found out of each is not kept."""
    if isinstance(part, QrelsImporter):
        preview = part.check(file, own)
        part.record.preview |= preview
        return preview
    return part.stage(file, own)


def _preview_of(part: Importer, folder: Folder, member: Member, own: Problems, step: Step) -> Preview | None:
    with folder.open(member.path) as file:
        try:
            return step(part, file, own)
        except FormatError as fault:
            if not own:
                own.add(fault.problems[0].line, fault.problems[0].reason)
    return None


def _add_preview(total: Preview, member: Member, preview: Preview, read_as: str) -> None:
    name = f"Qrels {member.name}" if member.kind == "qrels" else member.kind.capitalize()
    total["counts"] += [(f"{name}: {words.lower()}", count) for words, count in preview["counts"]]
    shown = PreviewTable(
        name=member.path, read_as=read_as, columns=preview["columns"], rows=preview["rows"][:SHOWN_ROWS]
    )
    total["tables"].append(shown)


def _snapshot_name(prefix: str, file_name: str, several: bool) -> str:  # noqa: FBT001
    if not prefix:
        return file_name[:100]
    return f"{prefix} {file_name}"[:100] if several else prefix
