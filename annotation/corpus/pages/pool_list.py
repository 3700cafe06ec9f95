"""The list of pools."""

from typing import Any

from django.urls import reverse

from annotation.kernel.list_columns import linked, moments, numbers, people
from annotation.kernel.listing import Listed, Listing
from annotation.kernel.tables import Shown
from annotation.models import Collection, Pool


def pool_list(collection: Collection) -> Listing[Any]:
    """Of `pools_of`."""

    def address(pool: Pool) -> str:
        return reverse("pool", args=[collection.slug, pool.pk])

    return Listing(
        "Pools",
        (
            linked("Name", "name", lambda pool: pool.name, address, by="name"),
            numbers("Pairs", "pairs", lambda pool: pool.n_pairs, by="n_pairs"),
            Listed(
                "made_from",
                lambda pool: pool.origin.get("kind"),
                shown=Shown("Made from", is_numeric=False),
                part="annotation/corpus/pool_origin.html",
            ),
            numbers("Batches", "batches", lambda pool: pool.n_batches, by="n_batches"),
            people("By", "by", lambda pool: pool.created_by, by="created_by"),
            moments("On", "made", lambda pool: pool.created_at, by="created_at"),
        ),
        search=("name", "created_by__username"),
        hint="Name or who made it",
    )
