"""Collections: made with a scale, a first guideline and one admin."""

from collections.abc import Sequence

from django.db import transaction

from annotation.corpus.steps.guidelines import FIRST_GUIDELINE, revise_guideline
from annotation.corpus.steps.scales import store_scale
from annotation.kernel.audit import record_audit
from annotation.kernel.taken import unless_taken
from annotation.models import Collection, Grade, Role, User
from annotation.people.steps.members import add_role


@transaction.atomic
def create_collection(
    *, slug: str, name: str, description: str, language: str = "", grades: Sequence[Grade], actor: User
) -> Collection:
    """A collection led by `actor`. Raises `TakenError` for a slug that was just taken."""
    with unless_taken(Collection.objects.filter(slug=slug)):
        collection = Collection.objects.create(slug=slug, name=name, description=description, language=language)
    collection.scale = store_scale(collection, grades)
    collection.save(update_fields=["scale"])
    record_audit("collection created", actor=actor, collection=collection, subject=slug, grades=len(grades))
    add_role(collection, actor, role=Role.ADMIN, actor=actor)
    revise_guideline(collection, **FIRST_GUIDELINE, actor=actor)
    return collection


@transaction.atomic
def describe_collection(
    collection: Collection, *, name: str, description: str, language: str = "", actor: User
) -> None:
    """Change name, description and language. The slug stays: it stands in addresses that people have kept."""
    values = {"name": name, "description": description, "language": language}
    if {field: getattr(collection, field) for field in values} == values:
        return
    for field, value in values.items():
        setattr(collection, field, value)
    collection.save(update_fields=list(values))
    record_audit("collection described", actor=actor, collection=collection, subject=collection.slug)
