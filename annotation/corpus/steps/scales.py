"""The scale: versions by the hash of their grades, one of them current."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max

from annotation.formats.identity import sha256_of
from annotation.kernel.audit import record_audit
from annotation.kernel.visible import CLOSING
from annotation.models import (
    FEWEST_GRADES,
    MOST_GRADES,
    Batch,
    Collection,
    GoldEvent,
    Grade,
    Item,
    Judgment,
    ScaleVersion,
    Snapshot,
    User,
)


class ScaleFixedError(Exception):
    """The number of grades cannot change any more; the message says why."""


def store_scale(collection: Collection, grades: Sequence[Grade]) -> ScaleVersion:
    """The version with these grades: a new one, or the one the collection had before under its old number."""
    if not FEWEST_GRADES <= len(grades) <= MOST_GRADES or [each["grade"] for each in grades] != [*range(len(grades))]:
        raise ValueError("a scale has 2 to 11 grades, counted from 0")
    versions = ScaleVersion.objects.filter(collection=collection)
    last = versions.aggregate(last=Max("number"))["last"] or 0
    return ScaleVersion.objects.get_or_create(
        collection=collection,
        sha256=scale_sha256(grades),
        defaults={"grades": list(grades), "number": last + 1},
    )[0]


def scale_sha256(grades: Sequence[Grade]) -> str:
    return sha256_of({"grades": [_fields(each) for each in grades]})


def _fields(grade: Grade) -> dict[str, str | int]:
    return {
        "grade": grade["grade"],
        "name": grade["name"],
        "definition": grade["definition"],
        "example": grade["example"],
    }


def why_number_of_grades_is_fixed(collection: Collection) -> str:
    """What was already graded on the scale, as a sentence; empty while nothing was."""
    if Judgment.objects.filter(collection=collection).exists():
        return "Judgments were made on this scale."
    gone = {"batch__state": Batch.State.IMPORTING, "batch__name__startswith": CLOSING}  # their items are being cleared
    if Item.objects.filter(collection=collection).exclude(**gone).exists():
        return "Pairs were laid out for judging on this scale."
    if GoldEvent.objects.filter(collection=collection).exists():
        return "Gold was entered on this scale."
    if Snapshot.objects.filter(collection=collection, scale__isnull=False).exists():
        return "A snapshot holds grades of this scale."
    return ""


@transaction.atomic
def revise_scale(collection: Collection, *, grades: Sequence[Grade], actor: User) -> ScaleVersion:
    """Make these grades current. What is laid out keeps the version it was laid out with; drafts follow.

    Raises `ScaleFixedError` for another number of grades once something was graded: old grades would mean nothing.
    """
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if locked.scale and len(locked.scale.grades) != len(grades):
        reason = why_number_of_grades_is_fixed(collection)
        if reason:
            raise ScaleFixedError(f"{reason} The number of grades stays {len(locked.scale.grades)}.")
    version = collection.scale = store_scale(collection, grades)
    if locked.scale_id != version.pk:
        collection.save(update_fields=["scale"])
        Batch.objects.filter(collection=collection, state=Batch.State.DRAFT).update(scale=version)
        record_audit("scale revised", actor=actor, collection=collection, subject=f"version {version.number}")
    return version
