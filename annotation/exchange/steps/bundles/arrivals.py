"""A collection on its way in as a person follows it: checked by one job, then stored by another."""

from dataclasses import dataclass
from typing import Any, BinaryIO

from django.db import transaction

from annotation.exchange.read.bundles import CHECK, IMPORT, checks_of, storing_of
from annotation.exchange.steps.bundles.temporary_files import (
    GONE,
    is_in_transit,
    payload_of,
    put_in_transit,
    remove_from_transit,
)
from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import enqueue
from annotation.models import Import, Job, Preview, User

SHOWN = 5


@dataclass(frozen=True)
class Arrival:
    """The job that checks or has checked a file, and the last one that was to store it, if any.

    `is_here`: the file is kept for a day.
    """

    check: Job
    store: Job | None
    is_here: bool

    @property
    def state(self) -> Import.State:
        """In the words of every import. What could not be stored, for its short name was taken, is ready again."""
        if self.store is not None and self.store.is_live:
            return Import.State.STORING
        if self.store is not None and self.store.state == Job.State.DONE:
            return Import.State.PUBLISHED
        if self.check.is_live:
            return Import.State.CHECKING
        if self.check.state != Job.State.DONE:
            return Import.State(self.check.state)
        return Import.State.REFUSED if self.n_problems else Import.State.CHECKED

    def get_state_display(self) -> str:
        return str(self.state.label)

    @property
    def job(self) -> Job:
        """The one that works on it, or did so last."""
        return self.store or self.check

    @property
    def filename(self) -> str:
        return str(self.check.payload["filename"])

    @property
    def slug(self) -> str:
        """The short name that it is to get, as somebody last asked; else as the file says."""
        return str(self.job.payload["slug"] or self.check.result.get("slug", ""))

    @property
    def preview(self) -> Preview | dict[str, Any]:
        preview: dict[str, Any] = self.check.result.get("preview", {})
        return preview

    @property
    def problems(self) -> list[dict[str, Any]]:
        return list(self.check.result.get("problems", []))

    @property
    def n_problems(self) -> int:
        return int(self.check.result.get("n_problems", 0))

    @property
    def may_discard(self) -> bool:
        """Nothing works on it, and no collection has come of it."""
        return not self.job.is_live and self.state != Import.State.PUBLISHED


def start_arrival(
    stream: BinaryIO,
    *,
    filename: str,
    slug: str,
    created_by: User,
    publish: bool = False,
    grades: str = "",
) -> Job:
    """Keep the file and queue its check: everything is tried and shown, and nothing stays stored.

    With `publish` it is stored at once, as a new collection of which `created_by` becomes the admin. An empty `slug`
    is the one that a bundle says. `grades`: what those of a BEIR folder are worth, see `parse_grade_map`.
    """
    payload = payload_of(put_in_transit(stream), filename, slug, grades=grades)
    kind = IMPORT if publish else CHECK
    with transaction.atomic():
        return enqueue(kind, collection=None, created_by=created_by, about=filename, **payload)


def publish_arrival(check: Job, *, slug: str, actor: User) -> Job:
    """Queue the storing of what was checked; a second click gets the first one's job. Else `ValueError`."""
    with transaction.atomic():
        arrival = _locked_arrival(check)
        if arrival.state in (Import.State.STORING, Import.State.PUBLISHED):
            return arrival.job
        if arrival.state != Import.State.CHECKED:
            raise ValueError(f"This collection is not ready to be published: {arrival.get_state_display().lower()}.")
        if not arrival.is_here:
            raise ValueError(GONE)
        payload = {**arrival.check.payload, "slug": slug, "check": check.token}
        return enqueue(IMPORT, collection=None, created_by=actor, **payload)


def discard_arrival(check: Job, *, actor: User) -> None:
    """Forget what was checked and not stored: its jobs, and its file. Else `ValueError`."""
    with transaction.atomic():
        arrival = _locked_arrival(check)
        if not arrival.may_discard:
            raise ValueError(f"This collection cannot be discarded: {arrival.get_state_display().lower()}.")
        record_audit("arrival discarded", actor=actor, collection=None, subject=arrival.filename)
        Job.objects.filter(kind=IMPORT, payload__check=check.token).delete()
        Job.objects.filter(pk=check.pk).delete()
    remove_from_transit(check)


def _locked_arrival(check: Job) -> Arrival:
    """The arrival as it is now, and stays until the transaction ends. `ValueError` where it was discarded meanwhile."""
    job = Job.objects.select_for_update(no_key=True).filter(pk=check.pk).first()
    if job is None:
        raise ValueError("This collection was discarded meanwhile.")
    return arrival_of(job)


def arrival_of(check: Job) -> Arrival:
    return Arrival(check, storing_of([check]).get(check.token), _is_here(check))


def arrivals_of(person: User) -> list[Arrival]:
    """The last few, the newest first."""
    checks = list(checks_of(person)[:SHOWN])
    storing = storing_of(checks)
    return [Arrival(check, storing.get(check.token), _is_here(check)) for check in checks]


def _is_here(check: Job) -> bool:
    return is_in_transit(check.payload["sha256"])
