"""Pools of a collection, and how many pairs each topic has in one."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.kernel.visible import visible_batches, visible_pools
from annotation.models import Batch, Collection, Pool, PoolPair


@dataclass(frozen=True)
class PoolTopic:
    """A topic in a pool: its number, current title and pairs."""

    number: str
    title: str
    n_pairs: int


def batches_of(pool: Pool) -> QuerySet[Batch]:
    """Those made from it, the newest first."""
    return visible_batches(pool.collection).filter(pool=pool).order_by("-created_at")


def pools_of(collection: Collection) -> QuerySet[Pool]:
    """The newest first, with the number of batches made from each (`n_batches`)."""
    pools, seen = visible_pools(collection).select_related("created_by"), ~Q(batches__state=Batch.State.IMPORTING)
    return pools.annotate(n_batches=Count("batches", filter=seen)).order_by("-created_at", "-pk")


def pool_topics(pool: Pool) -> list[PoolTopic]:
    """In the order of the topics. One query."""
    rows = (
        PoolPair.objects.filter(Q(topic__versions__is_current=True) | Q(topic__versions__isnull=True), pool=pool)
        .values_list("topic", "topic__number", "topic__versions__title")
        .annotate(n=Count("id"))
        .order_by("topic")
    )
    return [PoolTopic(number, title or "", n) for _, number, title, n in rows]
