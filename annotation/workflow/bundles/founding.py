"""A BEIR folder as a new collection: hidden like a bundle until topics, documents and qrels are all there."""

from typing import Any, BinaryIO

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.formats.problems import Problems
from annotation.formats.store import put
from annotation.models import DEFAULT_GRADES, Collection, Import, Preview, Role
from annotation.workflow.audit import record_audit
from annotation.workflow.bundles.staging import refuse_slug, remove_staged, staged_slug
from annotation.workflow.guidelines import FIRST_GUIDELINE, revise_guideline
from annotation.workflow.importing.collection import CollectionImporter
from annotation.workflow.jobs import JobRefused, JobRun
from annotation.workflow.members import add_role
from annotation.workflow.scales import store_scale


class Founding:
    """One attempt at one folder."""

    def __init__(self, run: JobRun) -> None:
        self.run, self.actor = run, run.job.created_by
        self.slug = str(run.job.payload["slug"])

    def found(self, stream: BinaryIO) -> dict[str, Any]:
        if not self.slug:
            raise JobRefused("A BEIR folder does not say what it is called: give the new collection a short name.")
        refuse_slug(self.slug, self.actor)
        sha = put(settings.TOUCHSTONE_FILES, stream)
        stream.seek(0)
        record = self._begin(sha)
        importer = CollectionImporter(record, self.run)
        problems = Problems(record.filename)
        preview = importer.stage(stream, problems)
        problems.check()
        preview["notes"] = [str(note) for note in problems.notes]
        if self.run.job.payload.get("dry_run"):
            remove_staged(record.collection.slug, guard=self.run.fence)
        else:
            self._flip(record, importer, preview)
        return {"collection": self.slug, "counts": preview["counts"]}

    def _begin(self, sha: str) -> Import:
        with transaction.atomic():
            self.run.fence()
            collection = Collection.objects.create(slug=staged_slug(self.run.job), name=self.slug)
            collection.scale = store_scale(collection, DEFAULT_GRADES)
            collection.save(update_fields=["scale"])
            return Import.objects.create(
                collection=collection,
                kind=Import.Kind.COLLECTION,
                state=Import.State.CHECKED,
                filename=self.run.job.payload["filename"],
                sha256=sha,
                options={"job": self.run.job.token},
                created_by=self.actor,
            )

    def _flip(self, record: Import, importer: CollectionImporter, preview: Preview) -> None:
        collection, actor = record.collection, self.actor
        assert actor is not None
        try:
            with transaction.atomic():
                self.run.fence()
                collection.slug = self.slug
                collection.save(update_fields=["slug"])
                importer.publish()
                add_role(collection, actor, role=Role.ADMIN, actor=actor)
                revise_guideline(collection, **FIRST_GUIDELINE, actor=actor)
                record.state, record.published_at, record.preview = Import.State.PUBLISHED, timezone.now(), preview
                record.save(update_fields=["state", "published_at", "preview"])
                record_audit("collection imported", actor=actor, collection=collection, subject=self.slug)
        except IntegrityError as taken:
            raise Problems(self.slug).stop(0, "this short name was taken just now: choose another one") from taken
