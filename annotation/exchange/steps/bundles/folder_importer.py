"""A BEIR folder as a new collection: hidden like a bundle until topics, documents and qrels are all there."""

from pathlib import Path
from typing import Any, BinaryIO

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.corpus.steps import FIRST_GUIDELINE, revise_guideline, store_scale
from annotation.exchange.steps.bundles.staging import check_slug, staged_slug
from annotation.exchange.steps.bundles.temporary_files import store_from_transit, store_staged_files
from annotation.exchange.steps.importing.collection import CollectionImporter
from annotation.formats.problems import Problems
from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefused, JobRun
from annotation.models import DEFAULT_GRADES, Collection, Import, Preview, Role
from annotation.people.steps import add_role

COMPARED = ("unchanged", "changed")  # with what is there: nothing is


class FolderImporter:
    """One attempt at one folder."""

    def __init__(self, run: JobRun, stream: BinaryIO, files: Path) -> None:
        self.run, self.actor, self.stream, self.files = run, run.job.created_by, stream, files
        self.slug = str(run.job.payload["slug"])
        self.preview = Preview(counts=[], columns=[], rows=[], notes=[], facts={})

    def check(self, problems: Problems) -> None:
        """As an import is checked: no row is stored but that of the hidden collection."""
        self._check_slug()
        importer = self._begin()
        self._set_preview(importer, importer.check(self.stream, problems), problems)

    def store(self) -> dict[str, Any]:
        self._check_slug()
        importer = self._begin()
        problems = Problems(importer.record.filename)
        self._set_preview(importer, importer.stage(self.stream, problems), problems)
        problems.check()
        store_staged_files(self.files)
        importer.record.sha256 = store_from_transit(self.run.job.payload["sha256"], self.stream)
        self._publish(importer)
        return self._result()

    def _check_slug(self) -> None:
        if not self.slug:
            raise JobRefused("A BEIR folder does not say what it is called: give the new collection a short name.")
        check_slug(self.slug, self.actor)

    def _set_preview(self, importer: CollectionImporter, preview: Preview, problems: Problems) -> None:
        preview["counts"] = [(words, n) for words, n in preview["counts"] if n or not words.endswith(COMPARED)]
        preview["notes"] = [str(note) for note in problems.notes]
        preview["format"] = importer.record.preview["format"]
        self.preview = preview

    def _result(self) -> dict[str, Any]:
        return {"collection": self.slug, "counts": self.preview["counts"]}

    def _begin(self) -> CollectionImporter:
        """The hidden collection, with an import that names no file: it is stored once all else is."""
        with transaction.atomic():
            self.run.fence()
            collection = Collection.objects.create(slug=staged_slug(self.run.job), name=self.slug)
            collection.scale = store_scale(collection, DEFAULT_GRADES)
            collection.save(update_fields=["scale"])
            record = Import.objects.create(
                collection=collection,
                kind=Import.Kind.COLLECTION,
                state=Import.State.CHECKED,
                filename=self.run.job.payload["filename"],
                options={"job": self.run.job.token},
                created_by=self.actor,
            )
            return CollectionImporter(record, self.run, files=self.files)

    def _publish(self, importer: CollectionImporter) -> None:
        record, collection, actor = importer.record, importer.record.collection, self.actor
        assert actor is not None
        try:
            with transaction.atomic():
                self.run.fence()
                collection.slug = self.slug
                collection.save(update_fields=["slug"])
                importer.publish()
                add_role(collection, actor, role=Role.ADMIN, actor=actor)
                revise_guideline(collection, **FIRST_GUIDELINE, actor=actor)
                record.state, record.published_at, record.preview = Import.State.PUBLISHED, timezone.now(), self.preview
                record.save(update_fields=["state", "published_at", "preview", "sha256"])
                record_audit("collection imported", actor=actor, collection=collection, subject=self.slug)
                self.run.finish(self._result())
        except IntegrityError as error:
            raise Problems(self.slug).stop(0, "this short name was taken just now: choose another one") from error
