"""Reports that are stored, and what is known of a snapshot, as the facts of a report."""

from pathlib import Path

from django.db.models import QuerySet

from annotation.kernel.store import path_of
from annotation.models import Collection, Job, Snapshot
from evaluation.models import Report

MAKE = "make_report"


def reports_of(collection: Collection) -> QuerySet[Report]:
    """The newest first."""
    return Report.objects.filter(collection=collection).select_related("snapshot").order_by("-made_at", "-pk")


def reports_by(collection: Collection, job: str) -> QuerySet[Report]:
    """What the job of this token made, or found made: none before it is done, and for other jobs."""
    results = Job.objects.filter(collection=collection, kind=MAKE, token=job).values_list("result__report", flat=True)
    return reports_of(collection).filter(pk__in=[pk for pk in results if pk])


def zip_path(report: Report) -> Path:
    return path_of(report.sha256)


def facts_of(snapshot: Snapshot) -> dict[str, object]:
    """By the words under which a report shows them; what the snapshot does not have is left out."""
    policy, scale = snapshot.policy, snapshot.scale
    facts: dict[str, object] = {
        "collection": snapshot.collection.name,
        "snapshot": snapshot.name,
        "criterion": snapshot.criterion,
        "origin": snapshot.get_origin_display(),
        "made": snapshot.created_at.date().isoformat(),
        "topics": snapshot.n_topics,
        "pairs": snapshot.n_pairs,
        "scale": {str(each["grade"]): each["name"] for each in scale.grades} if scale else None,
        "batches": [batch.name for batch in snapshot.batches.order_by("pk")] or None,
        "policy": str(policy) if policy else None,
        "policy’s parameters": policy.parameters if policy else None,
        "pairs that it left out": snapshot.n_dropped if policy else None,
        "machine judges": "counted" if snapshot.counts_machines else None,
        "SHA-256 of the qrels": snapshot.qrels_sha256,
        "SHA-256 of the pairs": snapshot.pairs_sha256 or None,
        "SHA-256 of the inputs": snapshot.inputs_sha256 or None,
        "SHA-256 of the policy": policy.sha256 if policy else None,
    }
    return {name: value for name, value in facts.items() if value is not None}
