"""A bundle as a new collection: unpacked part by part into a hidden one, rebuilt, then published in one transaction."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from django.db import DataError, IntegrityError, transaction

from annotation.corpus.steps.document_counts import recount_documents
from annotation.corpus.steps.document_index import note_missing
from annotation.exchange.read.bundles import PORTION, Transfer
from annotation.exchange.steps.bundles.collection_facts import columns_of_facts
from annotation.exchange.steps.bundles.parts.part import Part, part_classes, parts_of
from annotation.exchange.steps.bundles.staging import (
    Result,
    check_slug,
    finish_import,
    remove_staged,
    result_of,
    stage_collection,
    staged_slug,
)
from annotation.exchange.steps.bundles.temporary_files import store_staged_files
from annotation.exchange.steps.importing.texts import cut
from annotation.formats.bundle import Bundle, RowError, file_member, is_file, member_of, open_bundle
from annotation.formats.problems import Problems
from annotation.kernel.blocks import recount_blocks
from annotation.kernel.jobs import JobRefusedError, JobRun
from annotation.kernel.judgment_counts import recount_batch
from annotation.kernel.store import DiskStore, put
from annotation.models import Batch, Collection, Import, Preview, PreviewTable, ReadAs, Role
from annotation.people.steps.members import add_role
from annotation.quality.alerts import alert_settings_of
from annotation.quality.settings import SettingError
from annotation.quality.trust import WatchSettings
from annotation.quality.trust.rules import PauseRules

TEXT_AT_ONCE = 8 << 20  # characters of rows stored in one transaction
SHOWN_ROWS = 5
STEP = 64 << 20  # bytes between two reports
READ_AS = ReadAs(name="bundle", title="Touchstone bundle", columns=[], mapped=False)


class BundleImporter:
    """One attempt at one bundle. Its files lie in `files` until the collection is there."""

    def __init__(self, run: JobRun, bundle: Bundle, files: DiskStore) -> None:
        self.run, self.bundle, self.facts, self.files = run, bundle, bundle.manifest.collection, files
        self.actor = run.job.created_by
        self.slug = run.job.payload["slug"] or self.facts.slug
        self.preview = self._counts()
        self.named = set[str]()  # files that rows name
        self.reported = 0

    def check(self, _problems: Problems) -> None:
        self._stage()

    def store(self) -> Result:
        record = self._stage()
        store_staged_files(self.files)
        record.sha256 = put(self.bundle.manifest.to_json())
        self._publish(record)
        return result_of(record)

    def _stage(self) -> Import:
        """All of it, hidden and rebuilt."""
        check_slug(self.slug, self.actor)
        self._check_settings()
        self.bundle.verify(self._report_bytes)
        record = self._begin()
        transfer = Transfer(record.collection, record=record, actor=self.actor, files=self.files)
        parts = parts_of(transfer)
        for part in parts:
            if self.bundle.has(part.name):
                self._store_part(part)
        self._check_unused_files()
        for batch in Batch.objects.filter(collection=record.collection):
            recount_batch(batch)
            if batch.brought_by_id is None:
                recount_blocks(batch)
        recount_documents(record.collection)
        self._verify(parts)
        if n := len(transfer.sanitised):
            self.preview["notes"].append(f"the HTML of {n} text{'s' if n > 1 else ''} was sanitised anew")
        record.preview = self.preview
        return record

    def _check_settings(self) -> None:
        """What is stored must make a watch, rules and thresholds: nobody could open the pages about them otherwise."""
        name = "watch"
        try:
            WatchSettings.of(self.facts.watch or {})
            name = "pausing"
            PauseRules.of(self.facts.pausing or {})
            name = "alerts"
            alert_settings_of(self.facts.alerts or {})
        except SettingError as fault:
            raise JobRefusedError(f"bundle.json: collection: {name}: {fault}") from fault

    def _report_bytes(self, done: int) -> None:
        if done - self.reported >= STEP:
            self.reported = done
            self.run.report(done=done, total=self.bundle.size, message="Checking the bundle")

    def _begin(self) -> Import:
        """The hidden collection, and the import that stands for the bundle: its file becomes `bundle.json`."""
        with transaction.atomic():
            self.run.fence()
            options = {"bundle": self.run.job.payload["sha256"]}
            return stage_collection(self.run, options=options, **columns_of_facts(self.facts))

    def _counts(self) -> Preview:
        members = self.bundle.manifest.members.items()
        counts = [(name.removesuffix(".jsonl").replace("_", " ").capitalize(), facts.rows) for name, facts in members]
        row_counts = [(name, rows) for name, rows in counts if rows is not None]
        return Preview(counts=row_counts, columns=[], rows=[], notes=[], facts={}, format=READ_AS, tables=[])

    def _store_part(self, part: Part[Any]) -> None:
        """Portion by portion, and to the end even where a row is refused: more may be."""
        member = f"{part.name}.jsonl"
        problems, total, done = Problems(member), self.bundle.manifest.members[member].rows or 0, 0
        for portion in _portions(self.bundle.rows(part.name, part.row, problems)):
            if not done:
                self._preview_rows(part, [row for _, row in portion[:SHOWN_ROWS]])
            done += len(portion)
            self.run.report(done=done, total=total, message=f"Storing {part.name.replace('_', ' ')}")
            if not problems:
                self._store_portion(part, portion, problems)
        self.preview["notes"] += [str(note) for note in problems.notes]
        problems.check()

    def _preview_rows(self, part: Part[Any], rows: Sequence[Any]) -> None:
        if part.preview:
            columns = [name.removeprefix("n_") for name in part.preview]
            texts = [[cut(str(getattr(row, name))) for name in part.preview] for row in rows]
            self.preview["tables"].append(
                PreviewTable(name=member_of(part.name), read_as="", columns=columns, rows=texts)
            )

    def _store_portion(self, part: Part[Any], portion: Sequence[tuple[int, Any]], problems: Problems) -> None:
        lines, rows = [line for line, _ in portion], [row for _, row in portion]
        for line, row in portion:
            self._keep_files(part.files(row), line, problems)
        problems.check()
        try:
            with transaction.atomic():
                self.run.fence()
                part.store(rows)
        except RowError as error:
            problems.add(lines[error.index], error.reason)
        except (IntegrityError, DataError) as fault:
            problems.add(lines[0], f"in the rows from here to line {lines[-1]}: {str(fault).splitlines()[0]}")

    def _keep_files(self, shas: Iterable[str], line: int, problems: Problems) -> None:
        for sha in shas:
            if file_member(sha) not in self.bundle.manifest.members:
                problems.add(line, f"the file {sha} is not in the bundle")
            elif sha not in self.named:
                self.named.add(sha)
                with self.bundle.open(file_member(sha)) as stream:
                    if self.files.put(stream) != sha:
                        problems.add(line, f"the file {sha} has another hash")

    def _check_unused_files(self) -> None:
        idle = {name for name in self.bundle.manifest.members if is_file(name)} - set(map(file_member, self.named))
        if idle:
            raise Problems(min(idle)).stop(0, "no row names this file")

    def _verify(self, parts: Sequence[Part[Any]]) -> None:
        self.run.report(done=0, total=0, message="Rebuilding what was frozen")
        for part in parts:
            problems = Problems(f"{part.name}.jsonl")
            for fault in part.verify():
                problems.add(0, fault)
            problems.check()

    def _publish(self, record: Import) -> None:
        """One transaction, after which the collection is there."""
        collection, actor = record.collection, self.actor
        assert actor is not None
        try:
            with transaction.atomic():
                self.run.fence()
                self._complete(collection)
                note_missing(collection)
                add_role(collection, actor, role=Role.ADMIN, actor=actor)
                finish_import(self.run, record, sha256=record.sha256)
        except IntegrityError as error:
            remove_staged(staged_slug(self.run.job), guard=self.run.fence)
            if not Collection.objects.filter(slug=self.slug).exists():
                raise
            raise JobRefusedError(f"The short name {self.slug} was taken just now. Choose another one.") from error

    def _complete(self, collection: Collection) -> None:
        """Its name, its current scale and guideline."""
        collection.slug = self.slug
        collection.scale = collection.scale_versions.filter(number=self.facts.scale or 0).first()
        collection.guideline = collection.guideline_versions.filter(number=self.facts.guideline or 0).first()
        collection.save(update_fields=["slug", "scale", "guideline"])


def bundle_of(run: JobRun, stream: BinaryIO) -> Bundle:
    kinds = {part.name: part.since for part in part_classes()}
    return open_bundle(stream, Problems(run.job.payload["filename"]), kinds=kinds)


def _portions(rows: Iterator[tuple[int, Any]]) -> Iterator[list[tuple[int, Any]]]:
    """So many rows at a time, and fewer where their texts are long."""
    portion, length = list[tuple[int, Any]](), 0
    for line, row in rows:
        portion.append((line, row))
        length += sum(len(value) for value in vars(row).values() if isinstance(value, str))
        if len(portion) == PORTION or length > TEXT_AT_ONCE:
            yield portion
            portion, length = [], 0
    if portion:
        yield portion
