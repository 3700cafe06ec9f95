"""Raw judgments, row by row, under pseudonyms or with the account beside them."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from django.db.models import Case, F, Max, Q, QuerySet, Value, When, Window

from annotation.formats.judgments import (
    COLUMNS,
    NAMED_COLUMNS,
    JudgmentRow,
    judgments_csv,
    judgments_jsonl,
    judgments_parquet,
)
from annotation.judging.read.pauses import excluded_people
from annotation.kernel.files import Outgoing
from annotation.kernel.judged.rows import CHUNK
from annotation.kernel.visible import visible_judgments
from annotation.models import Annotator, Batch, Collection, Judgment, Planting, ScaleVersion

Writer: TypeAlias = Callable[..., Iterator[bytes]]
_WRITERS: Mapping[str, tuple[Writer, str]] = {
    "csv": (judgments_csv, "text/csv; charset=utf-8"),
    "jsonl": (judgments_jsonl, "application/x-ndjson"),
    "parquet": (judgments_parquet, "application/vnd.apache.parquet"),
}
JUDGMENT_FORMATS = tuple(_WRITERS)

_COLUMNS = (  # of JudgmentRow, without `counted` between reading and early
    "topic__number",
    "document__docno",
    "annotator__pseudonym",
    "grade",
    "criterion",
    "batch__name",
    "revision",
    "assignment__reading",
    "early",
    "active_ms",
    "wall_ms",
    "comment",
    "evidence_start",
    "evidence_end",
    "created_at",
    "guideline__number",
    "annotator__kind",
)


def outgoing_judgments(collection: Collection, format_name: str, *, named: bool = False) -> Outgoing:
    """Every judgment in one of `JUDGMENT_FORMATS`; `named` adds the column `account`."""
    write, content_type = _WRITERS[format_name]
    stem = f"{collection.slug}-judgments{'-named' if named else ''}"
    pieces = write(judgment_rows(collection, named=named), NAMED_COLUMNS if named else COLUMNS)
    return Outgoing(f"{stem}.{format_name}", content_type, pieces)


def judgment_rows(collection: Collection, *, named: bool = False) -> Iterator[JudgmentRow]:
    """Every judgment of the collection, revisions and surplus too, in the order they were saved.

    `counted` says whether it counts now, read across all batches of its criterion, as `counted_rows` does: the last
    revision of the first reading, blind, no check, not surplus, of a person who is not excluded, never of a
    machine. A policy then decides whom to believe. Three queries, whatever the number of judgments; the database sorts,
    and hands over `CHUNK` rows at a time. `account` is empty unless `named`, and where a person has none.
    """
    grades_by_scale = _grades_of_scales(collection)
    judgments = _with_last(collection).annotate(account=F("annotator__user__username") if named else Value(""))
    rows = judgments.order_by("pk").values_list("pk", "last", "scale_id", *_COLUMNS, "account")
    for pk, last, scale, *cells in rows.iterator(chunk_size=CHUNK):
        *before, created, guideline, kind, account = cells
        counted = pk == last and before[3] in grades_by_scale[scale]
        version = "" if guideline is None else str(guideline)
        values = [*before[:8], counted, *before[8:], created.isoformat(), version, kind, account or ""]
        yield JudgmentRow(*values)


def _with_last(collection: Collection) -> QuerySet[Judgment]:
    """Visible judgments, each with the last of those of its person and pair that may count, in `last`."""
    may_count = (
        Q(assignment__reading=1, surplus=False, blind=True, annotator__kind=Annotator.Kind.PERSON)
        & ~Q(batch__state=Batch.State.DRAFT)
        & ~Q(annotator__in=excluded_people(collection))
        & (Q(item__planting__isnull=True) | ~Q(item__planting__purpose=Planting.Purpose.CHECK))
    )
    last = Window(
        Max(Case(When(may_count, then=F("pk")))),
        partition_by=[F("topic"), F("document"), F("annotator"), F("criterion")],
    )
    return visible_judgments(collection).annotate(last=last)


def _grades_of_scales(collection: Collection) -> dict[int, frozenset[int]]:
    """The grades of each version of the scale: others say that somebody could not judge."""
    scales = ScaleVersion.objects.filter(collection=collection)
    return {scale.pk: frozenset(int(each["grade"]) for each in scale.grades) for scale in scales}
