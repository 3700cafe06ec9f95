"""How far a collection has come along the flow, and its audit log."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from annotation.corpus.read.document_counts import kept_documents
from annotation.corpus.read.texts import visible_topics
from annotation.kernel.access import ADMIN, RESEARCH
from annotation.kernel.judgment_counts import first_judgments
from annotation.kernel.visible import visible_annotators, visible_batches, visible_pools
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
    only_snapshot: int | None = None  # the key of a single one


@dataclass(frozen=True)
class Step:
    """A step of the flow: the page of what it makes, and whether it was done. Nobody is sent to an optional one.

    `form`: the address where it is done, with its `values` beside the collection's name; "": the page itself. `roles`:
    of those who may do it.
    """

    page: str
    text: str
    note: str
    done: bool
    optional: bool = False
    form: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    roles: frozenset[str] = ADMIN

    @property
    def opens(self) -> tuple[str, Mapping[str, str]]:
        """What a click opens: until it is done the form, then the page."""
        return (self.page, {}) if self.done or not self.form else (self.form, self.values)


def collection_counts(collection: Collection) -> Counts:
    batches = visible_batches(collection)
    snapshots = list(Snapshot.objects.filter(collection=collection).values_list("pk", flat=True))
    return Counts(
        topics=visible_topics(collection).count(),
        documents=kept_documents(collection).n_documents,
        annotators=visible_annotators(collection).count(),
        pools=visible_pools(collection).count(),
        gold_events=GoldEvent.objects.filter(collection=collection).count(),
        batches=batches.count(),
        laid_out=batches.exclude(state=Batch.State.DRAFT).count(),
        open_batches=batches.filter(state=Batch.State.OPEN).count(),
        judgments=sum(batches.values_list(first_judgments(), flat=True)),
        snapshots=len(snapshots),
        only_snapshot=snapshots[0] if len(snapshots) == 1 else None,
        frozen=Snapshot.objects.filter(collection=collection, origin=Snapshot.Origin.FROZEN).count(),
    )


def steps_of(collection: Collection, counts: Counts) -> list[Step]:
    """The flow from import to leaderboard, in its order."""
    return [*_texts_and_people(collection, counts), *_judging(collection, counts), *_qrels_and_runs(collection, counts)]


def _texts_and_people(collection: Collection, counts: Counts) -> list[Step]:
    revised = collection.guideline is not None and collection.guideline.number > 1
    without = "what is judged; runs and qrels alone need none"
    return [
        Step("topics", "Import topics", "what is asked", counts.topics > 0, **_import("topics")),
        Step("documents", "Import documents", without, counts.documents > 0, **_import("documents")),
        Step(
            "guideline",
            "Adapt the guideline",
            "a general one is in place",
            revised,
            optional=True,
            form="guideline_edit",
        ),
        Step("people", "Invite annotators", "by links that each work once", counts.annotators > 0, form="invitations"),
    ]


def _judging(collection: Collection, counts: Counts) -> list[Step]:
    pooled = counts.pools + counts.batches > 0  # judgments made elsewhere come without a pool
    has_runs = is_done("runs", collection)
    opened = counts.open_batches + counts.judgments > 0
    draft, laid_out = (_newest(collection, state) for state in (Batch.State.DRAFT, Batch.State.LAID_OUT))
    retrieved = "what systems retrieved: pools are made from them, and in the end they are evaluated"
    gold_meaning = "pairs whose grade is known, to see who judges well"
    begun: dict[str, Any] = {"form": "batch", "values": {"token": draft.token}} if draft else {"form": "batch_new"}
    opens: dict[str, Any] = {"form": "batch", "values": {"token": laid_out.token}} if laid_out else {}
    pooling = "pool_runs" if has_runs else "pool_without_runs"
    return [
        Step("runs", "Import runs", retrieved, has_runs, optional=pooled, form="runs_new", roles=RESEARCH),
        Step(
            "pools",
            "Make a pool",
            "from the runs, a file of pairs, or without either",
            pooled,
            form=pooling,
            roles=RESEARCH,
        ),
        Step("gold", "Set gold", gold_meaning, counts.gold_events > 0, **_import("gold")),
        Step("batches", "Lay out a batch", "who judges what, and how often", counts.laid_out > 0, **begun),
        Step("batches", "Open it", "annotators find it on their start page", opened, **opens),
    ]


def _qrels_and_runs(collection: Collection, counts: Counts) -> list[Step]:
    frozen, evaluated = counts.frozen > 0, is_done("leaderboard", collection)
    no_runs = not is_done("runs", collection)
    form, never = "leaderboard_evaluate", "qrels that never change again"
    return [
        Step("quality", "Look at the quality", "whom to believe, and which pairs drop", frozen, roles=RESEARCH),
        Step("snapshots", "Freeze a snapshot", never, frozen, form="snapshot_new", roles=RESEARCH),
        Step("leaderboard", "Evaluate runs", "against a snapshot", evaluated, no_runs, form, roles=RESEARCH),
    ]


def _import(kind: str) -> dict[str, Any]:
    return {"form": "import_new", "values": {"kind": kind}}


def _newest(collection: Collection, state: str) -> Batch | None:
    return visible_batches(collection).filter(state=state).order_by("-pk").first()


def is_done(step: str, collection: Collection) -> bool:
    return bool(import_string(settings.TOUCHSTONE_STEPS_DONE[step])(collection))


def audit_events(collection: Collection, *, verb: str = "") -> QuerySet[AuditEvent]:
    """The newest first; only those of `verb`, if one is given."""
    events = AuditEvent.objects.filter(collection=collection).select_related("actor").order_by("-pk")
    return events.filter(verb=verb) if verb else events


def audit_verbs(collection: Collection) -> list[str]:
    """The verbs that occur, in alphabetical order."""
    events = AuditEvent.objects.filter(collection=collection)
    return list(events.order_by("verb").values_list("verb", flat=True).distinct())
