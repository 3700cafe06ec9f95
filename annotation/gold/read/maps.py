"""What the grades of files were taken for when they were brought."""

from annotation.kernel.visible import visible_batches
from annotation.models import Collection, Import


def gold_maps(collection: Collection) -> list[tuple[str, str]]:
    """`(file name, what its grades were taken for)` of each file of gold that had such a map."""
    files = Import.objects.filter(collection=collection, kind=Import.Kind.GOLD, state=Import.State.PUBLISHED)
    return [
        (name, grades) for name, grades in files.order_by("pk").values_list("filename", "options__grades") if grades
    ]


def grade_maps(collection: Collection) -> list[tuple[str, str]]:
    """`(name, what its grades were taken for)` of each batch of judgments made elsewhere that had such a map."""
    brought = visible_batches(collection).filter(brought_by__kind=Import.Kind.JUDGMENTS).order_by("pk")
    maps = brought.values_list("name", "brought_by__options__grades")
    return [(name, grades) for name, grades in maps if grades]
