"""The list of snapshots."""

from django.urls import reverse

from annotation.kernel.list_columns import linked, moments, numbers, people, texts
from annotation.kernel.listing import Listing, Only
from annotation.models import Collection, Snapshot


def snapshot_list(collection: Collection) -> Listing[Snapshot]:
    def address(snapshot: Snapshot) -> str:
        return reverse("snapshot", args=[collection.slug, snapshot.pk])

    return Listing(
        "Snapshots",
        (
            linked("Name", "name", lambda snapshot: snapshot.name, address, by="name"),
            texts("Origin", "origin", lambda snapshot: snapshot.get_origin_display(), by="origin"),
            texts("Policy", "policy", _policy, by="policy__name"),
            numbers("Topics", "topics", lambda snapshot: snapshot.n_topics, by="n_topics"),
            numbers("Pairs", "pairs", lambda snapshot: snapshot.n_pairs, by="n_pairs"),
            numbers("Dropped", "dropped", _dropped, by="n_dropped"),
            people("By", "by", lambda snapshot: snapshot.created_by, by="created_by"),
            moments("When", "when", lambda snapshot: snapshot.created_at, by="created_at"),
            texts(
                "Hash of the qrels",
                "qrels_sha256",
                lambda snapshot: snapshot.qrels_sha256,
                is_folded=True,
                is_long=True,
            ),
        ),
        search=("name",),
        hint="Name",
        filters=(Only("origin", "Origin", "origin", Snapshot.Origin.choices),),
    )


def _policy(snapshot: Snapshot) -> str:
    if snapshot.policy is None:
        return ""
    return f"{snapshot.policy}, machines count" if snapshot.counts_machines else str(snapshot.policy)


def _dropped(snapshot: Snapshot) -> int | None:
    return snapshot.n_dropped if snapshot.policy else None
