"""A new collection from a bundle, or a BEIR folder: all or nothing, and nobody sees it before it is whole."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Any, BinaryIO

from django.conf import settings
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from annotation.formats.bundle import Bundle, RowRefused, file_member, is_bundle, is_file, open_bundle
from annotation.formats.folder import is_folder
from annotation.formats.problems import FormatError, Problems
from annotation.formats.store import put
from annotation.models import Collection, Import, Job, Role, User
from annotation.queries.bundles import IMPORT, PORTION, Transfer
from annotation.workflow.audit import record_audit
from annotation.workflow.bundles.founding import Founding
from annotation.workflow.bundles.part import Part, parts_of
from annotation.workflow.bundles.places import guidelines, scales
from annotation.workflow.bundles.staging import refuse_slug, remove_staged, staged_slug
from annotation.workflow.bundles.transit import clear_transit, in_transit, put_in_transit
from annotation.workflow.jobs import JobRefused, JobRun, enqueue, work_here
from annotation.workflow.members import add_role

TEXT_AT_ONCE = 8 << 20  # characters of rows stored in one transaction
SHOWN = 20
STEP = 64 << 20  # bytes between two reports

Result = dict[str, Any]


def start_bringing(stream: BinaryIO, *, filename: str, slug: str, created_by: User) -> Job:
    """Keep the bundle and queue its unpacking into a new collection, of which `created_by` becomes the admin.

    An empty `slug` is the one that the bundle says.
    """
    sha = put_in_transit(stream)
    with transaction.atomic():
        return enqueue(IMPORT, collection=None, created_by=created_by, **_wanted(sha, filename, slug))


def bring_here(
    stream: BinaryIO,
    *,
    filename: str,
    slug: str,
    actor: User,
    watch: Callable[[int, int, str], None],
    dry_run: bool = False,
) -> Job:
    """As `start_bringing`, in this process. With `dry_run` everything is tried, and taken away again."""
    wanted = _wanted(put_in_transit(stream), filename, slug)
    return work_here(IMPORT, collection=None, created_by=actor, watch=watch, dry_run=dry_run, **wanted)


def run_bringing(run: JobRun) -> Result:
    """Job: unpack, rebuild what was frozen, then flip. What an earlier attempt has left is cleared first."""
    done = Import.objects.filter(
        kind=Import.Kind.COLLECTION, state=Import.State.PUBLISHED, options__job=run.job.token
    ).first()
    if done:
        return _result(done.collection, done)
    remove_staged(staged_slug(run.job), guard=run.fence)
    clear_transit()
    path = in_transit(run.job.payload["sha256"])
    if path is None:
        raise JobRefused("The file has been waiting for too long and is gone. Please upload it again.")
    try:
        with path.open("rb") as stream:
            if is_folder(stream) and not is_bundle(stream):
                return Founding(run).found(stream)
            return Bringing(run, _opened(run, stream)).bring()
    except FormatError as fault:
        remove_staged(staged_slug(run.job), guard=run.fence)
        raise JobRefused(told(fault)) from fault


def told(fault: FormatError) -> str:
    """The first faults, one a line."""
    lines = [str(problem) for problem in fault.problems[:SHOWN]]
    further = fault.found - len(lines)
    return "\n".join([*lines, f"and {further} more"] if further > 0 else lines)


class Bringing:
    """One attempt at one bundle."""

    def __init__(self, run: JobRun, bundle: Bundle) -> None:
        self.run, self.bundle, self.facts = run, bundle, bundle.manifest.collection
        self.actor = run.job.created_by
        self.slug = run.job.payload["slug"] or self.facts.slug
        self.named = set[str]()  # files that rows name
        self.reported = 0

    def bring(self) -> Result:
        refuse_slug(self.slug, self.actor)
        self.bundle.verify(self._watch)
        record = self._begin()
        transfer = Transfer(record.collection, record=record, actor=self.actor)
        parts = parts_of(transfer)
        for part in parts:
            self._store(part)
        self._refuse_idle_files()
        self._verify(parts)
        if self.run.job.payload.get("dry_run"):
            remove_staged(record.collection.slug, guard=self.run.fence)
        else:
            self._flip(record)
        return _result(record.collection, record, slug=self.slug)

    def _watch(self, done: int) -> None:
        if done - self.reported >= STEP:
            self.reported = done
            self.run.report(done=done, total=self.bundle.size, message="Checking the bundle")

    def _begin(self) -> Import:
        """The hidden collection, and the import that stands for the bundle: its file is `bundle.json`."""
        manifest = put(settings.TOUCHSTONE_FILES, self.bundle.manifest.to_json())
        with transaction.atomic():
            self.run.fence()
            collection = Collection.objects.create(
                slug=staged_slug(self.run.job), name=self.facts.name, description=self.facts.description
            )
            return Import.objects.create(
                collection=collection,
                kind=Import.Kind.COLLECTION,
                state=Import.State.CHECKED,
                filename=self.run.job.payload["filename"],
                sha256=manifest,
                options={"job": self.run.job.token, "bundle": self.run.job.payload["sha256"]},
                preview=self._preview(),
                created_by=self.actor,
            )

    def _preview(self) -> dict[str, Any]:
        members = self.bundle.manifest.members.items()
        counts = [(name.removesuffix(".jsonl").replace("_", " ").capitalize(), facts.rows) for name, facts in members]
        shown = [(name, rows) for name, rows in counts if rows is not None]
        return {"counts": shown, "columns": [], "rows": [], "notes": [], "facts": {}}

    def _store(self, part: Part) -> None:
        """Portion by portion, and to the end even where a row is refused: more may be."""
        member = f"{part.name}.jsonl"
        problems, total, done = Problems(member), self.bundle.manifest.members[member].rows or 0, 0
        for portion in _portions(self.bundle.rows(part.name, part.row, problems)):
            done += len(portion)
            self.run.report(done=done, total=total, message=f"Storing {part.name.replace('_', ' ')}")
            if not problems:
                self._write(part, portion, problems)
        problems.check()

    def _write(self, part: Part, portion: Sequence[tuple[int, Any]], problems: Problems) -> None:
        lines, rows = [line for line, _ in portion], [row for _, row in portion]
        for line, row in portion:
            self._keep_files(part.files(row), line, problems)
        problems.check()
        try:
            with transaction.atomic():
                self.run.fence()
                part.store(rows)
        except RowRefused as refused:
            problems.add(lines[refused.place], refused.reason)
        except (IntegrityError, DataError) as fault:
            problems.add(lines[0], f"in the rows from here to line {lines[-1]}: {str(fault).splitlines()[0]}")

    def _keep_files(self, shas: Iterable[str], line: int, problems: Problems) -> None:
        for sha in shas:
            if file_member(sha) not in self.bundle.manifest.members:
                problems.add(line, f"the file {sha} is not in the bundle")
            elif sha not in self.named:
                self.named.add(sha)
                with self.bundle.open(file_member(sha)) as stream:
                    if put(settings.TOUCHSTONE_FILES, stream) != sha:
                        problems.add(line, f"the file {sha} has another hash")

    def _refuse_idle_files(self) -> None:
        idle = {name for name in self.bundle.manifest.members if is_file(name)} - set(map(file_member, self.named))
        if idle:
            raise Problems(min(idle)).stop(0, "no row names this file")

    def _verify(self, parts: Sequence[Part]) -> None:
        self.run.report(done=0, total=0, message="Rebuilding what was frozen")
        for part in parts:
            problems = Problems(f"{part.name}.jsonl")
            for fault in part.faults():
                problems.add(0, fault)
            problems.check()

    def _flip(self, record: Import) -> None:
        """One transaction, after which the collection is there."""
        collection, actor = record.collection, self.actor
        assert actor is not None
        try:
            with transaction.atomic():
                self.run.fence()
                self._settle(collection)
                add_role(collection, actor, role=Role.ADMIN, actor=actor)
                record.state, record.published_at = Import.State.PUBLISHED, timezone.now()
                record.save(update_fields=["state", "published_at"])
                record_audit(
                    "collection imported", actor=actor, collection=collection, subject=self.slug, sha256=record.sha256
                )
        except IntegrityError as taken:
            remove_staged(staged_slug(self.run.job), guard=self.run.fence)
            raise JobRefused(f"The short name {self.slug} was taken just now. Choose another one.") from taken

    def _settle(self, collection: Collection) -> None:
        """Its name, its current scale and guideline."""
        collection.slug = self.slug
        collection.scale_id = scales(collection).get(self.facts.scale or 0)
        collection.guideline_id = guidelines(collection).get(self.facts.guideline or 0)
        collection.save(update_fields=["slug", "scale", "guideline"])


def _wanted(sha: str, filename: str, slug: str) -> dict[str, str]:
    return {"sha256": sha, "filename": PurePath(filename).name[-255:], "slug": slug}


def _opened(run: JobRun, stream: BinaryIO) -> Bundle:
    known = frozenset(part.name for part in parts_of(Transfer(Collection())))
    return open_bundle(stream, Problems(run.job.payload["filename"]), known=known)


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


def _result(collection: Collection, record: Import, *, slug: str = "") -> Result:
    return {"collection": slug or collection.slug, "counts": record.preview["counts"]}
