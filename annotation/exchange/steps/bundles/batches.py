"""Batches, who takes part in them, and the pairs that were laid out, with the slots for their judgments."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When

from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.costs import cost_of, sum_of
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of, optional_keys_of, refused_at
from annotation.exchange.steps.bundles.pools import Pools
from annotation.formats.bundle import RowRefused
from annotation.formats.bundle.rows import BatchRow, ItemRow, ParticipationRow, SlotRow
from annotation.models import Assignment, Batch, Collection, Item, Participation, Planting, Slot
from annotation.quality.overlap import OverlapRule
from annotation.quality.settings import SettingError

Through = Batch.topics.through
_REFERENCES = (
    "cost_per_judgment",
    "pool",
    "scale",
    "topics",
    "information",
    "qualification",
    "steering_policy",
    "steering_version",
)
_OF_A_BATCH = tuple(name for name in BatchRow.__dataclass_fields__ if name not in _REFERENCES)
OF_A_PLACE = ("salt", "block", "done_in_block", "n_judged", "is_active")
OF_AN_ITEM = ("block", "shuffle", "n_judged", "stratum", "withheld")
OF_A_SLOT = ("n", "block", "state", "due", "transferable", "reading")


class Batches(TablePart[BatchRow]):
    """A batch without a pool is one that an import has brought: here it is the bundle's."""

    name, row = "batches", BatchRow

    def rows(self) -> Iterator[BatchRow]:
        found = Batch.objects.filter(pk__in=self.transfer.batches)
        found = found.select_related("pool", "scale", "information", "qualification", "steered_by")
        for batch in found.prefetch_related("topics").order_by("pk"):
            yield BatchRow(
                **{name: getattr(batch, name) for name in _OF_A_BATCH},
                pool=batch.pool.name if batch.pool else None,
                scale=batch.scale.number,
                information=batch.information.number if batch.information else None,
                qualification=batch.qualification.name if batch.qualification else None,
                steering_policy=batch.steered_by.name if batch.steered_by else None,
                steering_version=batch.steered_by.version if batch.steered_by else None,
                cost_per_judgment=sum_of(batch.cost_per_judgment),
                topics=sorted(topic.number for topic in batch.topics.all()),
            )

    def store(self, rows: Sequence[BatchRow]) -> None:
        known = dict(Pools.stored(self.collection).values_list("name", "pk"))
        pools = optional_keys_of([row.pool for row in rows], known, "pool")
        scales = keys_of([row.scale for row in rows], places.scales(self.collection), "version of the scale")
        made = create(
            Batch,
            rows,
            _OF_A_BATCH,
            collection=self.collection,
            pool_id=pools,
            scale_id=scales,
            information_id=self._before(rows, "information", places.information(self.collection)),
            qualification_id=self._before(rows, "qualification", places.qualifications(self.collection)),
            steered_by_id=self._steering(rows),
            cost_per_judgment=[cost_of(row.cost_per_judgment) for row in rows],
            brought_by=[None if pool else self.transfer.record for pool in pools],
        )
        QuerySet(Through).bulk_create(self._topics(made, rows), batch_size=1000)

    @staticmethod
    def _before(rows: Sequence[BatchRow], name: str, known: Mapping[Any, int]) -> list[int | None]:
        """What comes before the first card."""
        return optional_keys_of([getattr(row, name) for row in rows], known, name)

    def _steering(self, rows: Sequence[BatchRow]) -> list[int | None]:
        """The policies that steer. Raises `RowRefused` for settings that contradict each other."""
        for place, row in enumerate(rows):
            if refusal := _why_not_steered(row):
                raise RowRefused(place, refusal)
        named = [(row.steering_policy, row.steering_version) if row.steering_policy else None for row in rows]
        return optional_keys_of(named, places.policies(self.collection), "policy")

    def _topics(self, made: Sequence[Batch], rows: Sequence[BatchRow]) -> Iterator[Any]:
        known = places.topics(self.collection, (number for row in rows for number in row.topics))
        for place, (batch, row) in enumerate(zip(made, rows, strict=True)):
            with refused_at(place):
                yield from (Through(batch_id=batch.pk, topic_id=each) for each in keys_of(row.topics, known, "topic"))

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Batch]":
        return Batch.objects.filter(collection=collection)


class Participations(TablePart[ParticipationRow]):
    name, row = "participations", ParticipationRow

    def rows(self) -> Iterator[ParticipationRow]:
        found = Participation.objects.filter(batch__in=self.transfer.batches)
        return (ParticipationRow(*row) for row in paged(found, "batch__name", "annotator__pseudonym", *OF_A_PLACE))

    def store(self, rows: Sequence[ParticipationRow]) -> None:
        names = [row.annotator for row in rows]
        people = keys_of(names, places.annotators(self.collection, names), "annotator")
        batches = keys_of([row.batch for row in rows], places.batches(self.collection), "batch")
        create(Participation, rows, OF_A_PLACE, batch_id=batches, annotator_id=people)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Participation]":
        return Participation.objects.filter(batch__collection=collection)


class Items(TablePart[ItemRow]):
    name, row = "items", ItemRow

    def rows(self) -> Iterator[ItemRow]:
        found = Item.objects.filter(batch__in=self.transfer.batches)
        pinned = ("topic_version__sha256", "document_version__sha256", "scale__number")
        columns = ("batch__name", "topic__number", "document__docno", *pinned, *OF_AN_ITEM)
        for row in paged(found, *columns, "planting__purpose", "planting__in_pool"):
            yield ItemRow(*(*row[:-2], row[-2] or "", bool(row[-1])))

    def store(self, rows: Sequence[ItemRow]) -> None:
        collection = self.collection
        topics, documents = places.pairs(collection, rows)
        made = create(
            Item,
            rows,
            OF_AN_ITEM,
            collection=collection,
            batch_id=keys_of([row.batch for row in rows], places.batches(collection), "batch"),
            topic_id=topics,
            document_id=documents,
            scale_id=keys_of([row.scale for row in rows], places.scales(collection), "version of the scale"),
            topic_version_id=self._topic_versions(rows),
            document_version_id=self._document_versions(rows),
        )
        planted = [(item, row) for item, row in zip(made, rows, strict=True) if row.purpose]
        create(Planting, [row for _, row in planted], ("purpose", "in_pool"), item=[item for item, _ in planted])

    def _topic_versions(self, rows: Sequence[ItemRow]) -> list[int | None]:
        wanted = [(row.number, row.topic_sha256) if row.topic_sha256 else None for row in rows]
        known = places.topic_versions(self.collection, (row.number for row in rows))
        return optional_keys_of(wanted, known, "text of topic")

    def _document_versions(self, rows: Sequence[ItemRow]) -> list[int | None]:
        told = [(row.docno, row.document_sha256) if row.document_sha256 else None for row in rows]
        here = self.transfer.sanitised
        wanted = [(key[0], here.get(key, key[1])) if key else None for key in told]
        known = places.document_versions(self.collection, (row.docno for row in rows))
        return optional_keys_of(wanted, known, "text of document")

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Item]":
        return Item.objects.filter(collection=collection)


class Slots(TablePart[SlotRow]):
    """A lease does not travel: a slot is judged or open."""

    name, row = "slots", SlotRow

    def rows(self) -> Iterator[SlotRow]:
        judged = Assignment.objects.filter(self.transfer.saved(), slot=OuterRef("pk"), state=Assignment.State.JUDGED)
        told = Case(When(Exists(judged), then=Value("judged")), default=Value("open"))
        found = Slot.objects.filter(batch__in=self.transfer.batches).annotate(told=told)
        columns = ("batch__name", "item__topic__number", "item__document__docno", "n", "block", "told")
        return (SlotRow(*row) for row in paged(found, *columns, "reserved_for__pseudonym", *OF_A_SLOT[3:]))

    def store(self, rows: Sequence[SlotRow]) -> None:
        batches = keys_of([row.batch for row in rows], places.batches(self.collection), "batch")
        keys = [(row.batch, row.number, row.docno) for row in rows]
        items = keys_of(keys, places.items(self.collection, keys), "item")
        names = [row.reserved_for for row in rows]
        known = places.annotators(self.collection, (name for name in names if name))
        people = optional_keys_of(names, known, "annotator")
        create(
            Slot,
            rows,
            OF_A_SLOT,
            collection=self.collection,
            batch_id=batches,
            item_id=items,
            reserved_for_id=people,
        )

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Slot]":
        return Slot.objects.filter(collection=collection)


def _why_not_steered(row: BatchRow) -> str:
    """What is wrong with how many judgments a batch's pairs may get; empty if nothing is."""
    told = (row.most_judgments, row.target_probability, row.steering_policy, row.steering_version)
    if all(value is None for value in told):
        return ""
    if row.most_judgments is None or row.target_probability is None or None in told:
        return (
            "most_judgments, target_probability, steering_policy and steering_version are told together or not at all"
        )
    try:
        OverlapRule(row.judgments_per_item, row.most_judgments, row.target_probability)
    except SettingError as fault:
        return str(fault)
    return ""
