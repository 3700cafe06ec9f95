"""Pools, batches, annotators and judgments without those that an import under way has staged, and
without batches that are being deleted: nobody sees these."""

from django.db.models import Q, QuerySet

from annotation.models import Annotator, Batch, Collection, Judgment, Pool

STAGED = "importing-"  # the slug of a collection on its way in begins so; the token of its job follows
CLOSING = "deleting-"  # that of one being cleared away, likewise; and the name of such a batch, with its own token


def visible_pools(collection: Collection) -> QuerySet[Pool]:
    return Pool.objects.filter(Pool.VISIBLE, collection=collection)


def visible_batches(collection: Collection) -> QuerySet[Batch]:
    return Batch.objects.filter(collection=collection).exclude(state=Batch.State.IMPORTING)


def visible_annotators(collection: Collection) -> QuerySet[Annotator]:
    """Whoever has a pseudonym in the collection, with an account or without."""
    return Annotator.objects.filter(published(), collection=collection)


def visible_judgments(collection: Collection) -> QuerySet[Judgment]:
    return Judgment.objects.filter(collection=collection).exclude(batch__state=Batch.State.IMPORTING)


def laid_out(path: str = "batch__") -> Q:
    """Rows of batches that are laid out. Those of a draft are a layout on its way, which nobody sees before all of it
    is there; a batch that is being imported or deleted is out of sight. `path` leads to the batch."""
    return ~Q(**{f"{path}state__in": (Batch.State.DRAFT, Batch.State.IMPORTING)})


def published(path: str = "") -> Q:
    """Rows that no import has brought, or one that is published. `path` leads to them: `"topic__"`."""
    return Q(**{f"{path}brought_by__isnull": True}) | Q(**{f"{path}brought_by__published_at__isnull": False})
