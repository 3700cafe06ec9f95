"""What people made of gold, as arrays: their judgments on pairs that are gold, and the gold itself."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from django.db.models import Q, QuerySet

from annotation.gold.read.known_grades import (
    IS_GOLD,
    KnownGrade,
    Pair,
    gold_of,
    informed_of,
    known_gold,
    told_at,
    with_last_event,
)
from annotation.kernel.columns import JUDGMENT, columns_of
from annotation.kernel.visible import visible_judgments
from annotation.models import Annotator, Collection, Judgment, Planting, ScaleVersion
from annotation.quality.adjudications import adjudications
from annotation.quality.arrays import Ints
from annotation.quality.inputs import Inputs
from annotation.quality.purpose import CRITERION, Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable, judgment_table

# What columns of the table are made from, besides those as they stand.
_FURTHER = {"planted": "item__planting__purpose", "saved_at": "created_at"}


@dataclass(frozen=True, eq=False)
class JudgedGold:
    """`inputs`: of people alone, no machine judges; nothing but their judgments on gold, and the gold that was met.

    `moment`: (n_rows,), the rank of each judgment by its time. `gold_by_pair`: all gold, also what
    nobody has judged.
    """

    inputs: Inputs
    moment: Ints
    gold_by_pair: Mapping[Pair, KnownGrade]

    def with_gold(self, gold_by_pair: Mapping[Pair, KnownGrade]) -> "JudgedGold":
        """The same judgments under other gold."""
        inputs = _inputs(self.inputs.table, gold_by_pair, self.inputs.scale)
        return replace(self, inputs=inputs, gold_by_pair=dict(gold_by_pair))

    def places(self) -> dict[Pair, int]:
        """Where each gold pair that was met stands in the arrays."""
        table, gold = self.inputs.table, self.inputs.gold
        pairs = zip(gold.topic.tolist(), gold.document.tolist(), strict=True)
        return {(table.numbers[topic], table.docnos[document]): at for at, (topic, document) in enumerate(pairs)}


def judged_gold(collection: Collection, criterion: str = CRITERION, *, also: Pair | None = None) -> JudgedGold:
    """Four queries. Judgments and gold of all scale versions with the grades of today, as the quality page reads them
    with all batches chosen. `also`: a pair that is not gold, whose judgments are read as well."""
    assert collection.scale is not None
    scale = Scale(tuple(int(each["grade"]) for each in collection.scale.grades))
    versions = _versions(collection, scale)
    gold_by_pair = known_gold(collection, criterion, versions)
    table, moment = _table(collection, criterion, versions, also)
    return JudgedGold(_inputs(table, gold_by_pair, scale), moment, gold_by_pair)


def _inputs(table: JudgmentTable, gold_by_pair: Mapping[Pair, KnownGrade], scale: Scale) -> Inputs:
    return Inputs(
        table=table,
        scale=scale,
        gold=gold_of(table, gold_by_pair, scale),
        adjudications=adjudications(table, number=[], docno=[], grade=[]),
    )


def _versions(collection: Collection, scale: Scale) -> list[int]:
    """Those that differ in wording alone."""
    rows = ScaleVersion.objects.filter(collection=collection).values_list("pk", "grades")
    return [pk for pk, grades in rows if tuple(int(each["grade"]) for each in grades) == scale.grades]


def _judgments(collection: Collection, criterion: str, versions: list[int], also: Pair | None) -> QuerySet[Judgment]:
    wanted = IS_GOLD
    if also is not None:
        wanted |= Q(topic__number=also[0], document__docno=also[1])
    judgments = visible_judgments(collection).filter(
        criterion=criterion, scale__in=versions, annotator__kind=Annotator.Kind.PERSON
    )
    return with_last_event(judgments, collection, criterion).filter(wanted).order_by("created_at", "pk")


def _table(
    collection: Collection, criterion: str, versions: list[int], also: Pair | None
) -> tuple[JudgmentTable, Ints]:
    column = columns_of(_judgments(collection, criterion, versions, also), {**JUDGMENT, **_FURTHER})
    table = judgment_table(
        **{name: column[name] for name in JUDGMENT},
        purpose=[_purpose(*each) for each in zip(column["reading"], column["planted"], strict=True)],
        informed=informed_of(column, told_at(collection, criterion)),
        criterion=criterion,
    )
    return table, np.arange(len(table), dtype=np.int64)


def _purpose(reading: int, planted: str | None) -> Purpose:
    if planted == Planting.Purpose.CHECK:
        return Purpose.CHECK
    return Purpose.REPEAT if reading > 1 else Purpose.ORDINARY
