"""Pools and their pairs."""

from django.db.models import QuerySet

from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.parts.references import DOCUMENT, POOL, TOPIC
from annotation.formats.bundle.rows import PoolPairRow, PoolRow
from annotation.kernel.visible import published, visible_pools
from annotation.models import Pool, PoolPair


class Pools(Part[PoolRow]):
    name, row, model = "pools", PoolRow, Pool

    def outgoing(self) -> "QuerySet[Pool]":
        return visible_pools(self.collection)


class PoolPairs(Part[PoolPairRow]):
    name, row, model = "pool_pairs", PoolPairRow, PoolPair
    references = (POOL, TOPIC, DOCUMENT)

    def outgoing(self) -> "QuerySet[PoolPair]":
        return self.table(self.collection).filter(published("pool__"))
