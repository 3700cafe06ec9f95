"""Whether a collection may be deleted."""

from annotation.kernel.jobs import LIVE
from annotation.models import (
    Adjudication,
    AdjudicationReading,
    Assignment,
    Batch,
    Collection,
    Consent,
    GuidelineReading,
    Job,
    Judgment,
    QualificationAttempt,
)

# What people have done: it stays whatever happens, and so does the collection in which they did it.
_WORK = (
    Judgment.objects.filter,
    Assignment.objects.filter,
    Adjudication.objects.filter,
    AdjudicationReading.objects.filter,
)
_BY_ANNOTATORS = (
    Consent.objects.filter,
    GuidelineReading.objects.filter,
    QualificationAttempt.objects.filter,
)


def why_collection_stays(collection: Collection) -> str:
    """As a sentence; empty where it can be deleted."""
    worked = any(rows(collection=collection).exists() for rows in _WORK)
    if worked or any(rows(annotator__collection=collection).exists() for rows in _BY_ANNOTATORS):
        return "People have worked in this collection, and what they did stays."
    if Batch.objects.filter(collection=collection, state__in=Batch.RUNNING).exists():
        return "A batch is open. Close it first."
    if Job.objects.filter(collection=collection, state__in=LIVE).exists():
        return "A job works in this collection. Wait for its end, or stop it."
    return ""
