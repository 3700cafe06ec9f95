"""The watch on critical errors: choosing its settings. What it says is computed anew for every page."""

from dataclasses import asdict

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.models import Collection, User
from annotation.quality.trust import WatchSettings


@transaction.atomic
def choose_watch(collection: Collection, settings: WatchSettings, *, actor: User) -> None:
    """From now on the collection's people are watched under these settings. Nobody is excluded by it."""
    values = asdict(settings)
    if collection.watch == values:
        return
    collection.watch = values
    collection.save(update_fields=["watch"])
    record_audit("watch chosen", actor=actor, collection=collection, subject=collection.slug, **values)
