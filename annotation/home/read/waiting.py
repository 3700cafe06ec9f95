"""What the navigation counts: things that wait for a person, each with the page that ends the waiting."""

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from annotation.kernel.access import ADMIN
from annotation.kernel.visible import visible_annotators, visible_batches
from annotation.kernel.waiting import LATELY, CountOf, Waiting
from annotation.models import Appeal, Batch, Collection, ExclusionEvent, Import, WaitingCount

STATE = Import.State


def imports_waiting(collection: Collection) -> Waiting:
    """Checked ones that nobody has published, and refused ones of late, unless one of their kind has come in since."""
    return Waiting(CountOf(_imports(collection)))


def batches_waiting(collection: Collection) -> Waiting:
    """Laid out and not open yet, or finished and not closed."""
    laid_out = visible_batches(collection).filter(state=Batch.State.LAID_OUT)
    return Waiting(CountOf(laid_out) + _kept(collection, "finished"), ADMIN)


def alerts_waiting(collection: Collection) -> Waiting:
    return Waiting(_kept(collection, "alerts"))


def gold_waiting(collection: Collection) -> Waiting:
    """Objections without an answer, and gold that may be wrong."""
    return Waiting(CountOf(_objections(collection)) + _kept(collection, "suspects"), ADMIN)


def contested_waiting(collection: Collection) -> Waiting:
    """Pairs without a decision, under the default policy."""
    return Waiting(_kept(collection, "contested"))


def paused_waiting(collection: Collection) -> Waiting:
    """People who are paused and not excluded: somebody resumes or excludes them."""
    last = ExclusionEvent.objects.filter(annotator=OuterRef("pk")).order_by("-pk").values("action")[:1]
    people = visible_annotators(collection).filter(gets_cards=False).annotate(last=Coalesce(Subquery(last), Value("")))
    return Waiting(CountOf(people.exclude(last=ExclusionEvent.Action.EXCLUDE)), ADMIN)


def _kept(collection: Collection, name: str) -> Combinable:
    """As the worker counted it last."""
    return Coalesce(Subquery(WaitingCount.objects.filter(collection=collection).values(name)[:1]), Value(0))


def _objections(collection: Collection) -> QuerySet[Appeal]:
    return Appeal.objects.filter(collection=collection, state=Appeal.State.OPEN)


def _imports(collection: Collection) -> QuerySet[Import]:
    since = Import.objects.filter(
        collection=collection, kind=OuterRef("kind"), state=STATE.PUBLISHED, created_at__gt=OuterRef("created_at")
    )
    refused = Q(state__in=(STATE.REFUSED, STATE.FAILED), created_at__gt=LATELY) & ~Exists(since)
    return Import.objects.filter(Q(state=STATE.CHECKED) | refused, collection=collection)
