"""Pools and their pairs."""

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet

from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of
from annotation.formats.bundle.rows import PoolPairRow, PoolRow
from annotation.kernel.visible import published, visible_pools
from annotation.models import Collection, Pool, PoolPair

OF_A_POOL = ("name", "origin", "n_pairs", "created_at")


class Pools(TablePart[PoolRow]):
    name, row = "pools", PoolRow

    def rows(self) -> Iterator[PoolRow]:
        return (PoolRow(*values) for values in paged(visible_pools(self.collection), *OF_A_POOL))

    def store(self, rows: Sequence[PoolRow]) -> None:
        create(Pool, rows, OF_A_POOL, collection=self.collection)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Pool]":
        return Pool.objects.filter(collection=collection)


class PoolPairs(TablePart[PoolPairRow]):
    name, row = "pool_pairs", PoolPairRow

    def rows(self) -> Iterator[PoolPairRow]:
        visible = self.stored(self.collection).filter(published("pool__"))
        found = paged(visible, "pool__name", "topic__number", "document__docno", "rank")
        return (PoolPairRow(*values) for values in found)

    def store(self, rows: Sequence[PoolPairRow]) -> None:
        known = dict(Pools.stored(self.collection).values_list("name", "pk"))
        pools = keys_of([row.pool for row in rows], known, "pool")
        topics, documents = places.pairs(self.collection, rows)
        create(PoolPair, rows, ["rank"], pool_id=pools, topic_id=topics, document_id=documents)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[PoolPair]":
        return PoolPair.objects.filter(pool__collection=collection)
