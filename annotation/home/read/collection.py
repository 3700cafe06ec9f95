"""How far a collection has come along the flow, and its audit log."""

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.corpus.read import visible_documents, visible_topics
from annotation.kernel.visible import visible_annotators, visible_batches, visible_judgments, visible_pools
from annotation.models import AuditEvent, Batch, Collection, GoldEvent, Snapshot


@dataclass(frozen=True)
class Counts:
    topics: int
    documents: int
    annotators: int
    pools: int
    gold_events: int
    batches: int
    laid_out: int
    open_batches: int
    judgments: int
    snapshots: int
    frozen: int


@dataclass(frozen=True)
class Step:
    """A step of the flow: the page where it is done, and whether it was. Nobody is sent to an optional one."""

    page: str
    text: str
    note: str
    done: bool
    optional: bool = False


def collection_counts(collection: Collection) -> Counts:
    batches = visible_batches(collection)
    return Counts(
        topics=visible_topics(collection).count(),
        documents=visible_documents(collection).count(),
        annotators=visible_annotators(collection).count(),
        pools=visible_pools(collection).count(),
        gold_events=GoldEvent.objects.filter(collection=collection).count(),
        batches=batches.count(),
        laid_out=batches.exclude(state=Batch.State.DRAFT).count(),
        open_batches=batches.filter(state=Batch.State.OPEN).count(),
        judgments=visible_judgments(collection).filter(revision=1).count(),
        snapshots=Snapshot.objects.filter(collection=collection).count(),
        frozen=Snapshot.objects.filter(collection=collection, origin=Snapshot.Origin.FROZEN).count(),
    )


def steps_of(collection: Collection, counts: Counts) -> list[Step]:
    """The flow from import to snapshot, in its order."""
    revised = collection.guideline is not None and collection.guideline.number > 1
    opened = counts.open_batches + counts.judgments > 0
    pooled = counts.pools + counts.batches > 0  # judgments made elsewhere come without a pool
    return [
        Step("topics", "Import topics", "what is asked", counts.topics > 0),
        Step("documents", "Import documents", "what is judged; runs and qrels alone need none", counts.documents > 0),
        Step("guideline", "Adapt the guideline", "a general one is in place", revised, optional=True),
        Step("people", "Invite annotators", "by links that each work once", counts.annotators > 0),
        Step("pools", "Make a pool", "from the runs that you imported, or from a file of pairs", pooled),
        Step("gold", "Set gold", "pairs whose grade is known, to see who judges well", counts.gold_events > 0),
        Step("batches", "Lay out a batch", "who judges what, and how often", counts.laid_out > 0),
        Step("batches", "Open it", "annotators find it on their start page", opened),
        Step("quality", "Look at the quality", "whom to believe, and which pairs drop", counts.frozen > 0),
        Step("snapshots", "Freeze a snapshot", "qrels that never change again", counts.frozen > 0),
    ]


def audit_events(collection: Collection, *, verb: str = "") -> QuerySet[AuditEvent]:
    """The newest first; only those of `verb`, if one is given."""
    events = AuditEvent.objects.filter(collection=collection).select_related("actor").order_by("-pk")
    return events.filter(verb=verb) if verb else events


def audit_verbs(collection: Collection) -> list[str]:
    """The verbs that occur, in alphabetical order."""
    events = AuditEvent.objects.filter(collection=collection)
    return list(events.order_by("verb").values_list("verb", flat=True).distinct())
