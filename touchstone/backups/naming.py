"""Which columns name stored files, and which files rows name besides.

A column that is listed must lead to a whole file, but in rows of a collection that is on its way
in: its files are stored once it is there, and a worker takes such rows away or begins anew. A file
that is only mentioned in a JSON column (what a check hands on to the publishing of its import, say)
is in use as long as it is there. The record tells of files that were: it keeps none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import models
from django.db.models.functions import Cast, Length

from annotation.kernel.visible import STAGED
from touchstone.backups.tables import Model

NAMING_FILES: dict[str, tuple[str, ...]] = {
    "annotation_import": ("sha256",),
    "annotation_installation": ("canary_sha256",),
    "evaluation_report": ("sha256",),
    "evaluation_runscomparison": ("sha256",),
    "evaluation_experiment": ("sha256",),
    "evaluation_clickcomparison": ("sha256",),
    "annotation_snapshot": ("qrels_sha256", "pairs_sha256", "inputs_sha256"),
    "evaluation_run": ("sha256",),
    "evaluation_evaluation": ("sha256",),
    "evaluation_vectorset": ("sha256",),
}
# Hashes of texts that stand in the row itself.
NAMING_TEXTS: dict[str, tuple[str, ...]] = {
    "annotation_topicversion": ("sha256",),
    "annotation_documentversion": ("sha256",),
    "annotation_guidelineversion": ("sha256",),
    "annotation_informationversion": ("sha256",),
    "annotation_scaleversion": ("sha256",),
    "annotation_policy": ("sha256",),
}
RECORD = "annotation_auditevent"
_SHA = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def named_files(tables: Mapping[str, Model]) -> dict[str, str]:
    """By SHA-256: the first column that names the file, as `table.column`."""
    column_by_sha: dict[str, str] = {}
    for table, columns in NAMING_FILES.items():
        for column in columns:
            for sha in _values(tables.get(table), column, but=_staged(tables)):
                column_by_sha.setdefault(sha, f"{table}.{column}")
    return {sha: column for sha, column in column_by_sha.items() if _SHA.fullmatch(sha)}


def mentioned(tables: Mapping[str, Model]) -> set[str]:
    """Whatever in a JSON column looks like the name of a file, and what rows of collections on their way in name."""
    named = {
        sha for table, columns in NAMING_FILES.items() for name in columns for sha in _values(tables.get(table), name)
    }
    return named | {
        sha
        for table, model in tables.items()
        if table != RECORD
        for field in model._meta.local_concrete_fields  # noqa: SLF001 -- Django's own way in
        if isinstance(field, models.JSONField)
        for value in _long_values(model, field.attname)
        for sha in _shas(value)
    }


def _staged(tables: Mapping[str, Model]) -> list[int]:
    """The primary keys of the collections on their way in."""
    collection, membership = tables.get("annotation_collection"), tables.get("annotation_membership")
    if collection is None or membership is None:
        return []
    led = membership._base_manager.values("collection")  # noqa: SLF001 -- likewise
    staged = collection._base_manager.filter(slug__startswith=STAGED).exclude(pk__in=led)  # noqa: SLF001 -- likewise
    return list(staged.values_list("pk", flat=True))


def _values(model: Model | None, column: str, *, but: Sequence[int] = ()) -> Iterator[Any]:
    """`but`: those of these collections."""
    names = {field.attname for field in model._meta.local_concrete_fields} if model is not None else set()  # noqa: SLF001 -- likewise
    if model is not None and column in names:
        rows = model._base_manager.all()  # noqa: SLF001 -- likewise
        rows = rows.exclude(collection__in=but) if "collection_id" in names else rows
        yield from rows.values_list(column, flat=True).iterator()


def _long_values(model: Model, column: str) -> Iterator[Any]:
    """Of a JSON column, those in which there is room for a hash: of a million rows hardly one."""
    text = Length(Cast(column, models.TextField()))
    rows = model._base_manager.alias(n_characters=text).filter(n_characters__gte=64)  # noqa: SLF001 -- likewise
    yield from rows.values_list(column, flat=True).iterator()


def _shas(value: object) -> Iterator[str]:
    """In every string of a JSON value."""
    if isinstance(value, str):
        yield from _SHA.findall(value)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _shas(key)
            yield from _shas(each)
    elif isinstance(value, list):
        for each in value:
            yield from _shas(each)
