"""The judgment table of chosen batches, and the pairs laid out in them, from the columns of their rows."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from annotation.gold.read.current import current_gold
from annotation.gold.read.known_grades import informed_rows, told_at
from annotation.kernel.judged.reading import Column, Laid, read_items, read_judgments
from annotation.kernel.judged.rows import Rows
from annotation.kernel.visible import visible_batches
from annotation.models import Annotator, Batch, Collection, Document, Feedback, Participation, Planting, Slot, Topic
from annotation.quality.arrays import Bools, Ints, distinct
from annotation.quality.pairs import Pairs
from annotation.quality.purpose import CRITERION, Purpose
from annotation.quality.table import JudgmentTable

_AS_THEY_STAND = ("grade", "revision", "reading", "surplus", "blind", "wall_ms", "active_ms")
Keys: TypeAlias = tuple[Column, Column]  # of topics and documents
PORTION = 5000
DENSE = 8  # keys that lie so near each other are looked up by place: a tenth of the time of a search
_CODED = ("item", "topic", "document", "annotator")


@dataclass(frozen=True)
class Planted:
    """Keys of items, ascending."""

    gold: Ints
    checks: Ints


@dataclass(frozen=True)
class Codes:
    """Words that stand for keys of the database: `words` in their order, and for each of the ascending `keys` its place
    among them."""

    words: tuple[str, ...]
    keys: Ints
    codes: Ints

    def of(self, keys: Column) -> Ints:
        """(n,): their places. All are known."""
        if not len(self.keys) or (span := int(self.keys[-1] - self.keys[0]) + 1) > DENSE * len(self.keys):
            return np.asarray(self.codes[np.searchsorted(self.keys, keys)])
        by_key = np.zeros(span, dtype=np.int64)
        by_key[self.keys - self.keys[0]] = self.codes
        return np.asarray(by_key[keys - self.keys[0]])


def read_table(
    collection: Collection,
    batches: Sequence[Batch],
    criterion: str = CRITERION,
    machines: AbstractSet[str] = frozenset(),
) -> tuple[JudgmentTable, Pairs]:
    """Every judgment ever saved in the batches, in the order they were saved, and the participants, judging or not:
    people and `machines` alike; and the pairs laid out, without attention checks and what machines alone brought along.

    Accuracy is over the collection: judgments that people made in its other batches on pairs that are gold now are
    there too, marked `Purpose.ELSEWHERE`.
    """
    visible = set(visible_batches(collection).filter(criterion=criterion).values_list("pk", flat=True))
    chosen = sorted({batch.pk for batch in batches})
    others = sorted(visible.difference(chosen))
    planted = _planted([*chosen, *others])
    pseudonyms = dict(Annotator.objects.filter(collection=collection).values_list("pk", "pseudonym"))
    items, added = read_items(chosen), _added(batches)
    elsewhere = _Elsewhere(collection, criterion, {batch.scale_id for batch in batches}, planted)
    names = _names(collection, criterion, is_steered=len(added) > 0)
    here = read_judgments([pk for pk in chosen if pk in visible], names, criterion=criterion)
    here["purpose"] = _purposes(here, planted, added)
    column = _with(here, read_judgments(others, names, elsewhere.chosen, criterion=criterion)) if others else here
    laid = _laid(items, column, planted, {pk for pk, name in pseudonyms.items() if name in machines})
    pairs = {key: np.concatenate([column[key], getattr(items, key)[laid]]) for key in ("topic", "document")}
    topics = _codes(pairs["topic"], _numbers(collection))
    documents = _codes(pairs["document"], _docnos(items, pairs["document"]))
    people = _codes(np.concatenate([column["annotator"], _taking_part(chosen)]), pseudonyms)
    table = JudgmentTable(
        topic=topics.of(column.pop("topic")),
        document=documents.of(column.pop("document")),
        annotator=people.of(column.pop("annotator")),
        sequence=column.pop("id"),
        informed=np.zeros(len(column["purpose"]), dtype=np.bool_),
        purpose=column.pop("purpose"),
        **{name: column.pop(name) for name in _AS_THEY_STAND},
        numbers=topics.words,
        docnos=documents.words,
        annotators=people.words,
        criterion=criterion,
    )
    feedback = told_at(collection, criterion) if "saved" in column else {}
    if feedback:
        table = replace(table, informed=informed_rows(table, column["saved"], feedback))
    key = distinct(table.pair_key(topics.of(items.topic[laid]), documents.of(items.document[laid])))
    return table, Pairs(*table.split_key(key))


def _names(collection: Collection, criterion: str, *, is_steered: bool) -> list[str]:
    """Of the columns to read: some only where they are asked for."""
    is_told = Feedback.objects.filter(batch__collection=collection, batch__criterion=criterion).exists()
    return [*_CODED, *_AS_THEY_STAND, *(["saved"] if is_told else []), *(["assignment"] if is_steered else [])]


def _with(here: dict[str, Column], elsewhere: dict[str, Column]) -> dict[str, Column]:
    """Both, in the order in which they were saved."""
    if not len(elsewhere["id"]):
        return here
    elsewhere["purpose"] = np.full(len(elsewhere["id"]), Purpose.ELSEWHERE, dtype=np.int64)
    order = np.argsort(np.concatenate([here["id"], elsewhere["id"]]))
    return {name: np.concatenate([here[name], elsewhere[name]])[order] for name in here}


class _Elsewhere:
    """Which judgments of other batches are there for the accuracy of their people."""

    def __init__(self, collection: Collection, criterion: str, scales: AbstractSet[int], planted: Planted) -> None:
        self.collection, self.criterion = collection, criterion
        self.scales, self.planted = np.array(sorted(scales), dtype=np.int64), planted

    @cached_property
    def gold(self) -> Keys:
        gold = current_gold(self.collection, self.criterion).order_by().values_list("topic", "document")
        topics, documents = np.array(list(gold), dtype=np.int64).reshape(-1, 2).T
        return topics, documents

    def chosen(self, rows: Rows) -> Bools:
        chosen: Bools = np.isin(rows["scale"], self.scales) & (rows["reading"] == 1)
        chosen &= ~np.isin(rows["item"], self.planted.checks)
        chosen[chosen] = _among((rows["topic"][chosen], rows["document"][chosen]), self.gold)
        return chosen


def _among(pairs: Keys, others: Keys) -> Bools:
    """(n,): which of the pairs, topics and documents by their keys, are among the others."""
    bound = 1 + max((int(documents.max()) for _, documents in (pairs, others) if len(documents)), default=0)
    key, other_key = (topics * bound + documents for topics, documents in (pairs, others))
    return np.isin(key, other_key)


def _purposes(column: Mapping[str, Column], planted: Planted, added: Ints) -> Ints:
    """(n,): a `Purpose` each. Repeats of gold and checks are repeats."""
    purpose = np.full(len(column["id"]), Purpose.ORDINARY, dtype=np.int64)
    for keys, what in ((planted.gold, Purpose.GOLD), (planted.checks, Purpose.CHECK)):
        if len(keys):
            purpose[np.isin(column["item"], keys)] = what
    purpose[column["reading"] > 1] = Purpose.REPEAT
    if len(added):
        purpose[np.isin(column["assignment"], added)] = Purpose.ADDED
    return purpose


def _planted(batches: Sequence[int]) -> Planted:
    rows = list(Planting.objects.filter(item__batch__in=batches).values_list("item", "purpose"))
    gold, checks = (
        np.array(sorted(item for item, purpose in rows if purpose == what), dtype=np.int64)
        for what in (Planting.Purpose.GOLD, Planting.Purpose.CHECK)
    )
    return Planted(gold, checks)


def _added(batches: Sequence[Batch]) -> Ints:
    """Assignments to slots of steered batches beyond those that every pair was laid out with. No query where no batch
    is steered."""
    steered = [batch.pk for batch in batches if batch.most_judgments is not None]
    if not steered:
        return np.zeros(0, dtype=np.int64)
    slots = Slot.objects.filter(batch__in=steered, reading=1, item__planting__isnull=True)
    ranked = slots.annotate(rank=Window(RowNumber(), partition_by="item", order_by="n"))
    added = ranked.filter(rank__gt=F("batch__judgments_per_item")).values_list("assignment", flat=True)
    return np.array([assignment for assignment in added if assignment is not None], dtype=np.int64)


def _laid(items: Laid, column: Mapping[str, Column], planted: Planted, machines: AbstractSet[int]) -> Bools:
    """(n_items,): which are laid out for people."""
    laid = np.ones(len(items.id), dtype=np.bool_)
    if machines:
        by_people = ~np.isin(column["annotator"], sorted(machines))
        laid = np.isin(items.id, column["item"][by_people])
        unsaid = items.id[~laid].tolist()
        slots = {
            item
            for begin in range(0, len(unsaid), PORTION)
            for item in Slot.objects.filter(item__in=unsaid[begin : begin + PORTION]).values_list("item", flat=True)
        }
        laid |= np.isin(items.id, sorted(slots))
    if len(planted.checks):
        is_check = laid & np.isin(items.id, planted.checks)
        laid &= ~_among((items.topic, items.document), (items.topic[is_check], items.document[is_check]))
    return laid


def _codes(keys: Column, words: Mapping[int, str]) -> Codes:
    """Of all `keys` that occur. Words have the order of their bytes, which is that of their characters."""
    occurring = distinct(keys)
    theirs = [words[key] for key in occurring.tolist()]
    order = sorted(range(len(theirs)), key=theirs.__getitem__)
    codes = np.empty(len(theirs), dtype=np.int64)
    codes[order] = np.arange(len(theirs))
    return Codes(tuple(theirs[at] for at in order), occurring, codes)


def _numbers(collection: Collection) -> dict[int, str]:
    return dict(Topic.objects.filter(collection=collection).values_list("pk", "number"))


def _docnos(items: Laid, documents: Column) -> dict[int, str]:
    """By key, of the items' documents and of all these."""
    docnos = dict(zip(items.document.tolist(), items.docnos, strict=True))
    occurring = distinct(documents)
    further = occurring[~np.isin(occurring, items.document)].tolist()
    for begin in range(0, len(further), PORTION):
        docnos |= dict(Document.objects.filter(pk__in=further[begin : begin + PORTION]).values_list("pk", "docno"))
    return docnos


def _taking_part(batches: Sequence[int]) -> Ints:
    people = Participation.objects.filter(batch__in=batches).values_list("annotator", flat=True)
    return np.array(list(people), dtype=np.int64)
