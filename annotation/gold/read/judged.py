"""What people made of gold, as arrays: their judgments on pairs that are gold, and the gold itself."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from django.db.models import Q

from annotation.gold.read.current import current_gold
from annotation.gold.read.known_grades import KnownGrade, Pair, gold_of, informed_rows, known_gold, told_at
from annotation.kernel.judged.reading import Column, read_judgments
from annotation.kernel.judged.rows import Rows
from annotation.kernel.visible import visible_batches
from annotation.models import Annotator, Collection, Document, Planting, ScaleVersion, Topic
from annotation.quality.adjudications import adjudications
from annotation.quality.arrays import Bools, Ints
from annotation.quality.inputs import Inputs
from annotation.quality.purpose import CRITERION, Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable, judgment_table

_AS_THEY_STAND = ("grade", "reading", "surplus", "blind")


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

    def index_by_pair(self) -> dict[Pair, int]:
        """Where each gold pair that was met stands in the arrays."""
        table, gold = self.inputs.table, self.inputs.gold
        pairs = zip(gold.topic.tolist(), gold.document.tolist(), strict=True)
        return {(table.numbers[topic], table.docnos[document]): at for at, (topic, document) in enumerate(pairs)}


def judged_gold(collection: Collection, criterion: str = CRITERION, *, also: Pair | None = None) -> JudgedGold:
    """Judgments and gold of all scale versions with the grades of today, as the quality page reads them
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


@dataclass(frozen=True)
class _Selection:
    """Which judgments are read: of these people, on these pairs, under these scale versions. By the database's keys:
    `numbers` of topics and `docnos` of documents that are gold, whatever the version it was given on."""

    people: Mapping[int, str]
    pairs: Ints  # (n, 2): topic and document
    numbers: Mapping[int, str]
    docnos: Mapping[int, str]
    scales: list[int]
    among: Q  # in which all of them are, for the tables

    def chosen(self, rows: Rows) -> Bools:
        chosen: Bools = np.isin(rows["scale"], self.scales) & np.isin(rows["annotator"], list(self.people))
        bound = 1 + int(self.pairs[:, 1].max(initial=0))
        key = rows["topic"] * bound + rows["document"]
        return chosen & (rows["document"] < bound) & np.isin(key, self.pairs[:, 0] * bound + self.pairs[:, 1])


def _selection(collection: Collection, criterion: str, versions: list[int], also: Pair | None) -> _Selection:
    gold = current_gold(collection, criterion).order_by()
    among = Q(document__in=gold.values("document"))
    pairs = list(gold.values_list("topic", "document", "topic__number", "document__docno"))
    if also is not None:
        topics = Topic.objects.filter(collection=collection, number=also[0]).values_list("pk", flat=True)
        documents = Document.objects.filter(collection=collection, docno=also[1]).values_list("pk", flat=True)
        pairs += [(topic, document, *also) for topic in topics for document in documents]
        among |= Q(document__in=list(documents))
    people = Annotator.objects.filter(collection=collection, kind=Annotator.Kind.PERSON)
    return _Selection(
        people=dict(people.values_list("pk", "pseudonym")),
        pairs=np.array([pair[:2] for pair in pairs], dtype=np.int64).reshape(-1, 2),
        numbers={pair[0]: pair[2] for pair in pairs},
        docnos={pair[1]: pair[3] for pair in pairs},
        scales=versions,
        among=among,
    )


def _table(
    collection: Collection, criterion: str, versions: list[int], also: Pair | None
) -> tuple[JudgmentTable, Ints]:
    selection = _selection(collection, criterion, versions, also)
    batches = list(visible_batches(collection).filter(criterion=criterion).values_list("pk", flat=True))
    column = _by_time(batches, criterion, selection)
    table = judgment_table(
        number=[selection.numbers[key] for key in column["topic"].tolist()],
        docno=[selection.docnos[key] for key in column["document"].tolist()],
        annotator=[selection.people[key] for key in column["annotator"].tolist()],
        sequence=column["id"],
        purpose=_purposes(column, batches),
        criterion=criterion,
        **{name: column[name] for name in _AS_THEY_STAND},
    )
    feedback = told_at(collection, criterion)
    if feedback:
        table = replace(table, informed=informed_rows(table, column["saved"], feedback))
    return table, np.arange(len(table), dtype=np.int64)


def _by_time(batches: list[int], criterion: str, selection: _Selection) -> dict[str, Column]:
    """The columns of what is selected."""
    names = ("item", "topic", "document", "annotator", "saved", *_AS_THEY_STAND)
    column = read_judgments(batches, names, selection.chosen, criterion=criterion, among=selection.among)
    order = np.lexsort((column["id"], column["saved"]))
    return {name: values[order] for name, values in column.items()}


def _purposes(column: Mapping[str, Column], batches: list[int]) -> Ints:
    """(n,): what is planted as gold counts as anything else, for all of it is gold."""
    checks = Planting.objects.filter(item__batch__in=batches, purpose=Planting.Purpose.CHECK)
    purpose = np.where(column["reading"] > 1, int(Purpose.REPEAT), int(Purpose.ORDINARY))
    purpose[np.isin(column["item"], list(checks.values_list("item", flat=True)))] = Purpose.CHECK
    return purpose.astype(np.int64)
