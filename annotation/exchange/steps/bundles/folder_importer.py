"""A BEIR folder as a new collection: hidden like a bundle until topics, documents and qrels are all there."""

from typing import BinaryIO

from django.db import IntegrityError, transaction

from annotation.corpus.steps.guidelines import FIRST_GUIDELINE, revise_guideline
from annotation.corpus.steps.scales import store_scale
from annotation.exchange.steps.bundles.staging import Result, check_slug, finish_import, result_of, stage_collection
from annotation.exchange.steps.bundles.temporary_files import store_from_transit, store_staged_files
from annotation.exchange.steps.importing.beir_folder import BeirFolderImporter
from annotation.exchange.steps.importing.importer import preview_of
from annotation.formats.problems import Problems
from annotation.kernel.jobs import JobRefusedError, JobRun
from annotation.kernel.store import DiskStore
from annotation.models import DEFAULT_GRADES, Collection, Preview, Role
from annotation.people.steps.members import add_role

COMPARED = ("unchanged", "changed")  # with what is there: nothing is


class FolderImporter:
    """One attempt at one folder."""

    def __init__(self, run: JobRun, stream: BinaryIO, files: DiskStore) -> None:
        self.run, self.actor, self.stream, self.files = run, run.job.created_by, stream, files
        self.slug = str(run.job.payload["slug"])
        self.preview = preview_of()

    def check(self, problems: Problems) -> None:
        """As an import is checked: no row is stored but that of the hidden collection."""
        self._check_slug()
        importer = self._begin()
        self._set_preview(importer, importer.check(self.stream, problems), problems)

    def store(self) -> Result:
        self._check_slug()
        importer = self._begin()
        problems = Problems(importer.record.filename)
        self._set_preview(importer, importer.stage(self.stream, problems), problems)
        problems.check()
        store_staged_files(self.files)
        importer.record.sha256 = store_from_transit(self.run.job.payload["sha256"], self.stream)
        self._publish(importer)
        return result_of(importer.record)

    def _check_slug(self) -> None:
        if not self.slug:
            raise JobRefusedError("A BEIR folder does not say what it is called: give the new collection a short name.")
        check_slug(self.slug, self.actor)

    def _set_preview(self, importer: BeirFolderImporter, preview: Preview, problems: Problems) -> None:
        preview["counts"] = [(words, n) for words, n in preview["counts"] if n or not words.endswith(COMPARED)]
        preview["notes"] = [str(note) for note in problems.notes]
        preview["format"] = importer.record.preview["format"]
        self.preview = preview

    def _begin(self) -> BeirFolderImporter:
        """The hidden collection, with an import that names no file: it is stored once all else is."""
        with transaction.atomic():
            self.run.fence()
            options = {"grades": self.run.job.payload.get("grades", "")}
            record = stage_collection(self.run, options=options, name=self.slug)
            record.collection.scale = store_scale(record.collection, DEFAULT_GRADES)
            record.collection.save(update_fields=["scale"])
            return BeirFolderImporter(record, self.run, files=self.files)

    def _publish(self, importer: BeirFolderImporter) -> None:
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
                record.preview = self.preview
                finish_import(self.run, record)
        except IntegrityError as error:
            if not Collection.objects.filter(slug=self.slug).exists():
                raise
            raise Problems(self.slug).stop(0, "this short name was taken just now: choose another one") from error
