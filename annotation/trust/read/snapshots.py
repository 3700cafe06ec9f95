"""Snapshots of a collection, and what their files say."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from django.db.models import Model, QuerySet

from annotation.formats.citation import Cited
from annotation.kernel.jobs import LIVE
from annotation.kernel.store import path_of
from annotation.models import Batch, Collection, Job, Snapshot
from annotation.quality.frozen import outcome_of
from annotation.quality.outcome import Outcome
from annotation.trust.read.dropped import ReasonCount, dropped_by_reason
from annotation.trust.read.lineage import lineage_of

FREEZE = "freeze_snapshot"
MOST_READ = 64  # files of which a process keeps what its pages say of all pairs


def snapshots_of(collection: Collection) -> QuerySet[Snapshot]:
    """The newest first."""
    return Snapshot.objects.filter(collection=collection).select_related("policy", "created_by").order_by("-pk")


def name_after(batch: Batch) -> str:
    """What a snapshot of one batch is called: as the batch, unless another one is."""
    taken = Snapshot.objects.filter(collection=batch.collection_id, name=batch.name).exists()
    return "" if taken else batch.name


def why_snapshot_stays(snapshot: Snapshot) -> str:
    """Why it cannot be deleted, as a sentence; empty where it can. What rests on it may be of another app."""
    if snapshot.origin != Snapshot.Origin.IMPORTED:
        return "It is frozen from judgments."
    if any(rows.exists() for rows in _resting_on(snapshot)):
        return "Evaluations, accountings or reports rest on it."
    payloads = Job.objects.filter(collection=snapshot.collection_id, state__in=LIVE).values_list("payload", flat=True)
    if any(payload.get("snapshot") == snapshot.pk for payload in payloads):
        return "A job works with it."
    return ""


def _resting_on(snapshot: Snapshot) -> Iterator["QuerySet[Model]"]:
    """The rows of each table that refers to snapshots, those of apps that this one does not know among them."""
    for relation in Snapshot._meta.related_objects:  # noqa: SLF001
        rows = relation.related_model._base_manager  # noqa: SLF001
        yield rows.filter(**{relation.field.name: snapshot})


def freezing_jobs(collection: Collection) -> QuerySet[Job]:
    """Snapshots that are being frozen now."""
    return Job.objects.filter(collection=collection, kind=FREEZE, state__in=LIVE).order_by("pk")


def qrels_path(snapshot: Snapshot) -> Path:
    """The TREC qrels of a snapshot, frozen or imported."""
    return path_of(snapshot.qrels_sha256)


def pairs_path(snapshot: Snapshot) -> Path | None:
    """The pairs with confidence and counts, as JSONL; imported qrels have none."""
    return path_of(snapshot.pairs_sha256) if snapshot.pairs_sha256 else None


def inputs_path(snapshot: Snapshot) -> Path | None:
    """What the policy decided on; imported qrels have none."""
    return path_of(snapshot.inputs_sha256) if snapshot.inputs_sha256 else None


def frozen_outcome(snapshot: Snapshot) -> Outcome | None:
    """What the policy made of the frozen inputs, the dropped pairs included; None for imported qrels."""
    path = inputs_path(snapshot)
    return outcome_of(path.read_bytes()) if path else None


def grades_of(snapshot: Snapshot) -> dict[int, int]:
    """Number of pairs by grade, as the qrels file says."""
    return dict(_grades_in(qrels_path(snapshot)))


def dropped_from(snapshot: Snapshot) -> list[ReasonCount]:
    """How many pairs drop for each reason; none of imported qrels, which say nothing of it."""
    path = inputs_path(snapshot)
    return _reasons_in(path) if path else []


@lru_cache(maxsize=MOST_READ)
def _grades_in(path: Path) -> dict[int, int]:
    """Of a file that never changes, as of those of the next."""
    with path.open("rb") as lines:
        tally = Counter(line.rsplit(b" ", 1)[1] for line in lines)
    return {int(grade): n for grade, n in tally.items()}


@lru_cache(maxsize=MOST_READ)
def _reasons_in(path: Path) -> list[ReasonCount]:
    return dropped_by_reason(outcome_of(path.read_bytes()))


def cited_as(snapshot: Snapshot) -> Cited:
    """What a citation says of it."""
    return Cited(
        slug=snapshot.collection.slug,
        collection=snapshot.collection.name,
        snapshot=snapshot.name,
        date=snapshot.created_at.date().isoformat(),
        n_topics=snapshot.n_topics,
        n_pairs=snapshot.n_pairs,
        policy=str(snapshot.policy or ""),
        qrels_sha256=snapshot.qrels_sha256,
        lineage=lineage_of(snapshot),
    )
