"""The judgments of chosen batches as arrays, with all else that a policy reads, in a handful of queries."""

from collections.abc import Collection as Set
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from annotation.gold.read.known_grades import IS_GOLD, Pair, gold_of, informed_of, known_gold, told_at, with_last_event
from annotation.judging.read.pauses import current_exclusions
from annotation.kernel.columns import JUDGMENT, columns_of
from annotation.kernel.visible import visible_judgments
from annotation.models import (
    Adjudication,
    Annotator,
    Batch,
    Collection,
    Item,
    Judgment,
    Participation,
    Planting,
    Slot,
)
from annotation.quality import table as arrays
from annotation.quality.adjudications import adjudications
from annotation.quality.inputs import Inputs
from annotation.quality.machines.split import Machines, parted
from annotation.quality.pairs import laid_pairs
from annotation.quality.purpose import CRITERION, Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable

# Columns of the table as they stand, and what the others are made from.
_AS_THEY_STAND = {**JUDGMENT, "revision": "revision"}
_FURTHER = {"wall": "wall_ms", "active": "active_ms", "batch": "batch_id", "planted": "item__planting__purpose"}
_DECIDED = ("topic__number", "document__docno", "grade")
_PLANTED = {Planting.Purpose.GOLD: Purpose.GOLD, Planting.Purpose.CHECK: Purpose.CHECK}


def policy_inputs(collection: Collection, batches: Sequence[Batch], criterion: str = CRITERION) -> Inputs:
    """All that a policy needs to decide on the pairs of the batches, as it stands now.

    The batches may have scale versions that differ in wording, not in the number of grades: `ValueError` otherwise, and
    for no batch at all. Gold counts where it was given on one of these versions. Adjudications count for pairs of the
    batches; what is an attention check is nobody's to decide. What machine judges said stands beside, in a table of its
    own; pairs that came with their judgments alone were laid out for nobody.
    """
    scale = scale_of(batches)
    machines = machines_of(collection)
    laid = _laid(batches, machines)
    table, others = parted(judgment_table(collection, batches, criterion, laid=laid), machines)
    here, every = set(laid), decisions(collection, criterion)
    decided = {pair: grade for pair, grade in every.items() if pair in here and grade in scale.grades}
    excluded = current_exclusions(collection).keys()
    return Inputs(
        table=table,
        scale=scale,
        gold=gold_of(table, known_gold(collection, criterion, {batch.scale_id for batch in batches}), scale),
        adjudications=adjudications(
            table, number=[n for n, _ in decided], docno=[d for _, d in decided], grade=list(decided.values())
        ),
        excluded=_codes(table, excluded),
        laid=laid_pairs(table, [n for n, _ in laid], [d for _, d in laid]),
        machines=None if others is None else Machines(others, _codes(others, excluded)),
    )


def machines_of(collection: Collection) -> frozenset[str]:
    """The machine judges, by pseudonym."""
    machines = Annotator.objects.filter(collection=collection, kind=Annotator.Kind.MACHINE)
    return frozenset(machines.values_list("pseudonym", flat=True))


def judgment_table(
    collection: Collection, batches: Sequence[Batch], criterion: str = CRITERION, *, laid: Iterable[Pair] = ()
) -> JudgmentTable:
    """Every judgment ever saved in the batches, in the order they were saved, and the participants, judging or not:
    people and machine judges alike, whom `policy_inputs` parts.

    Accuracy is over the collection: judgments that people made in its other batches on pairs that are gold now are
    there too, marked `Purpose.ELSEWHERE`.
    """
    feedback, added = told_at(collection, criterion), _added_slots(batches)
    paths = {**_AS_THEY_STAND, **_FURTHER}  # a column more takes its time
    paths |= {"saved_at": "created_at"} if feedback else {}
    paths |= {"slot": "assignment__slot"} if added else {}
    column = columns_of(_judgments(collection, batches, criterion), paths)
    people = Participation.objects.filter(batch__in=batches).values_list("annotator__pseudonym", flat=True)
    return arrays.judgment_table(
        **{name: column[name] for name in _AS_THEY_STAND},
        purpose=_purposes(column, here={batch.pk for batch in batches}, added=added),
        informed=informed_of(column, feedback),
        wall_ms=[-1 if value is None else value for value in column["wall"]],
        active_ms=[-1 if value is None else value for value in column["active"]],
        further_pairs=laid,
        further_annotators=people,
        criterion=criterion,
    )


def scale_of(batches: Sequence[Batch]) -> Scale:
    """The grades that the batches share. Raises `ValueError` where they do not, and for no batch."""
    scales = {tuple(int(each["grade"]) for each in batch.scale.grades) for batch in batches}
    if not scales:
        raise ValueError("Choose at least one batch.")
    if len(scales) > 1:
        raise ValueError("These batches have scales with different numbers of grades.")
    return Scale(scales.pop())


def by_scale(batches: Iterable[Batch]) -> list[list[Batch]]:
    """Those together whose scales have the same grades, which a policy may read together; in the order they come."""
    parts: dict[Scale, list[Batch]] = {}
    for batch in batches:
        parts.setdefault(scale_of([batch]), []).append(batch)
    return list(parts.values())


def _codes(table: JudgmentTable, names: Iterable[str]) -> frozenset[int]:
    code_of = {pseudonym: code for code, pseudonym in enumerate(table.annotators)}
    return frozenset(code_of[name] for name in names if name in code_of)


def _judgments(collection: Collection, batches: Sequence[Batch], criterion: str) -> QuerySet[Judgment]:
    scales = {batch.scale_id for batch in batches}
    elsewhere = (
        IS_GOLD & Q(scale__in=scales, assignment__reading=1) & ~Q(item__planting__purpose=Planting.Purpose.CHECK)
    )
    judgments = with_last_event(visible_judgments(collection).filter(criterion=criterion), collection, criterion)
    return judgments.filter(Q(batch__in=[batch.pk for batch in batches]) | elsewhere).order_by("pk")


def _purposes(column: Mapping[str, list[Any]], *, here: Set[int], added: Set[int]) -> list[Purpose]:
    slots = column.get("slot", [None] * len(column["batch"]))
    rows = zip(slots, column["batch"], column["reading"], column["planted"], strict=True)
    return [Purpose.ADDED if slot in added else _purpose(*each, here=here) for slot, *each in rows]


def _purpose(batch: int, reading: int, planted: str | None, *, here: Set[int]) -> Purpose:
    if batch not in here:
        return Purpose.ELSEWHERE
    if reading > 1:
        return Purpose.REPEAT
    return _PLANTED[Planting.Purpose(planted)] if planted else Purpose.ORDINARY


def _added_slots(batches: Iterable[Batch]) -> frozenset[int]:
    """Slots of steered batches beyond those that every pair was laid out with. No query where no batch is steered."""
    steered = [batch.pk for batch in batches if batch.most_judgments is not None]
    if not steered:
        return frozenset()
    slots = Slot.objects.filter(batch__in=steered, reading=1, item__planting__isnull=True)
    ranked = slots.annotate(rank=Window(RowNumber(), partition_by="item", order_by="n"))
    return frozenset(ranked.filter(rank__gt=F("batch__judgments_per_item")).values_list("pk", flat=True))


def _laid(batches: Sequence[Batch], machines: Set[str]) -> list[Pair]:
    """The pairs of the batches, each once, without attention checks and what machines alone brought along."""
    asked = Item.objects.filter(batch__in=batches)
    if machines:
        person = Judgment.objects.filter(item=OuterRef("pk"), annotator__kind=Annotator.Kind.PERSON)
        asked = asked.filter(Exists(Slot.objects.filter(item=OuterRef("pk"))) | Exists(person))
    items = asked.values_list("topic__number", "document__docno", "planting__purpose")
    checks = {(number, docno) for number, docno, planted in items if planted == Planting.Purpose.CHECK}
    return sorted({(number, docno) for number, docno, _ in items} - checks)


def decisions(collection: Collection, criterion: str) -> dict[Pair, int]:
    """The adjudicated grade of each pair that has one: that of its last decision, unless it is withdrawn."""
    rows = Adjudication.objects.filter(collection=collection, criterion=criterion).order_by("pk")
    last = {(number, docno): grade for number, docno, grade in rows.values_list(*_DECIDED)}
    return {pair: grade for pair, grade in last.items() if grade is not None}
