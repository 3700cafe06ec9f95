"""Pools and imported qrels deleted by command, where nothing rests on them."""

from annotation.corpus.steps.pooling import PoolError, delete_pool
from annotation.kernel.commands.base import MisuseError
from annotation.kernel.commands.deleting import DeleteCommand
from annotation.kernel.commands.naming import snapshot_named
from annotation.kernel.visible import visible_pools
from annotation.models import Collection
from annotation.trust.steps.deletion import SnapshotUsedError, delete_snapshot


class DeletePool(DeleteCommand):
    help = "Delete a pool that no batch is made from."
    examples = ("touchstone delete pool bees 'depth 20' --dry-run", "touchstone delete pool bees 'depth 20'")
    noun = "pool"
    refusals = (PoolError,)

    def delete(self, collection: Collection, name: str) -> None:
        pool = visible_pools(collection).filter(name=name).first()
        if pool is None:
            raise MisuseError(f"There is no pool {name} in this collection.")
        delete_pool(pool, actor=None)


class DeleteSnapshot(DeleteCommand):
    help = "Delete imported qrels on which nothing rests. What was frozen from judgments stays."
    examples = ("touchstone delete snapshot bees nist",)
    noun = "snapshot"
    refusals = (SnapshotUsedError,)

    def delete(self, collection: Collection, name: str) -> None:
        delete_snapshot(snapshot_named(collection, name), actor=None)
