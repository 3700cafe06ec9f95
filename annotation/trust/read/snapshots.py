"""Snapshots of a collection, and what their files say."""

from collections import Counter
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from annotation.formats.store import path_of
from annotation.models import Collection, Job, Snapshot
from annotation.quality.frozen import outcome_of
from annotation.quality.outcome import Outcome

FREEZE = "freeze_snapshot"


def snapshots_of(collection: Collection) -> QuerySet[Snapshot]:
    """The newest first."""
    return Snapshot.objects.filter(collection=collection).select_related("policy", "created_by").order_by("-pk")


def freezing_jobs(collection: Collection) -> QuerySet[Job]:
    """Snapshots that are being frozen now."""
    live = [Job.State.QUEUED, Job.State.RUNNING]
    return Job.objects.filter(collection=collection, kind=FREEZE, state__in=live).order_by("pk")


def qrels_path(snapshot: Snapshot) -> Path:
    """The TREC qrels of a snapshot, frozen or imported."""
    return path_of(settings.TOUCHSTONE_FILES, snapshot.qrels_sha256)


def pairs_path(snapshot: Snapshot) -> Path | None:
    """The pairs with confidence and counts, as JSONL; imported qrels have none."""
    return path_of(settings.TOUCHSTONE_FILES, snapshot.pairs_sha256) if snapshot.pairs_sha256 else None


def frozen_outcome(snapshot: Snapshot) -> Outcome | None:
    """What the policy made of the frozen inputs, the dropped pairs included; None for imported qrels."""
    if not snapshot.inputs_sha256:
        return None
    return outcome_of(path_of(settings.TOUCHSTONE_FILES, snapshot.inputs_sha256).read_bytes())


def grades_of(snapshot: Snapshot) -> dict[int, int]:
    """Number of pairs by grade, as the qrels file says."""
    with qrels_path(snapshot).open("rb") as lines:
        tally = Counter(line.rsplit(b" ", 1)[1] for line in lines)
    return {int(grade): n for grade, n in tally.items()}
