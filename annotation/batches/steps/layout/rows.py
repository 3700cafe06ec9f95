"""From rows to the material of a layout."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields

from django.db.models import Count, Q, QuerySet

from annotation.batches.steps.layout.attention_checks import with_distant
from annotation.batches.steps.layout.material import Material, Pair, Person, TopicMaterial, Wanted
from annotation.corpus.read.texts import documents_with_text
from annotation.gold.read.current import current_gold
from annotation.kernel.visible import laid_out
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    GoldEvent,
    Judgment,
    Participation,
    Planting,
    PoolPair,
    QualificationAnswer,
    QualificationItem,
    Slot,
    Topic,
)


def wanted_of(batch: Batch) -> Wanted:
    return Wanted(**{field.name: getattr(batch, field.name) for field in fields(Wanted)})


def read_material(batch: Batch) -> Material:
    """The batch's topics with pool and gold, and its active participants."""
    active = Participation.objects.filter(batch=batch, is_active=True).values("annotator")
    people = Annotator.objects.filter(pk__in=active).order_by("pk")
    return Material(topics=_topics(batch), people=tuple(read_people(batch, people)), wanted=wanted_of(batch))


def read_people(batch: Batch, annotators: Iterable[Annotator]) -> list[Person]:
    """The annotators with what they have met elsewhere, in eight queries."""
    everyone = sorted(annotators, key=lambda annotator: annotator.pk)
    ids = [annotator.pk for annotator in everyone]
    met, n_gold = _met(batch, ids), _gold_before(batch, ids)
    ordinals = _ordinals(batch.collection_id)
    return [
        Person(each.pk, each.pseudonym, frozenset(met[each.pk]), n_gold[each.pk], ordinals[each.pk], each.gets_cards)
        for each in everyone
    ]


def _ordinals(collection_id: int) -> dict[int, int]:
    """By annotator: their number in the collection, from 1, in the order in which they came.

    Who came with judgments made elsewhere is not counted: they are never handed anything.
    """
    annotators = Annotator.objects.filter(collection=collection_id, brought_by__isnull=True)
    ids = annotators.order_by("id").values_list("id", flat=True)
    return {annotator: ordinal for ordinal, annotator in enumerate(ids, start=1)}


def _topics(batch: Batch) -> tuple[TopicMaterial, ...]:
    pool: dict[int, list[int]] = defaultdict(list)
    rows = PoolPair.objects.filter(pool=batch.pool_id).order_by("topic", "rank", "id")
    for topic, document in rows.values_list("topic_id", "document_id"):
        pool[topic].append(document)
    gold: dict[int, dict[int, int]] = defaultdict(dict)
    golds = _gold_of(batch).filter(document__in=documents_with_text(batch.collection)).order_by("id")
    for topic, document, grade in golds.values_list("topic_id", "document_id", "grade"):
        gold[topic][document] = grade or 0
    chosen = list(Topic.objects.filter(pk__in=batch.topics.values("pk")).order_by("pk").values_list("pk", "number"))
    taught: dict[int, set[int]] = defaultdict(set)
    for topic, document in _taught(batch):
        taught[topic].add(document)
    material = [
        TopicMaterial(topic, number, tuple(pool[topic]), dict(gold[topic]), taught=frozenset(taught[topic]))
        for topic, number in chosen
    ]
    if batch.check_share <= 0:
        return tuple(material)
    return tuple(with_distant(batch.collection, material, pool, wanted_of(batch)))


def _met(batch: Batch, annotators: Sequence[int]) -> dict[int, set[Pair]]:
    """Pairs of the batch's topics that the people have met in other batches, or that are kept for them there.

    And gold that lies open for them there, having become gold after it was laid out; and pairs whose answer they know
    from a qualification round.
    """
    met: dict[int, set[Pair]] = defaultdict(set)
    topics = batch.topics.values("pk")
    assigned = Assignment.objects.filter(annotator__in=annotators, item__topic__in=topics).exclude(batch=batch)
    kept = Slot.objects.filter(reserved_for__in=annotators, transferable=False, item__topic__in=topics)
    kept = kept.filter(laid_out()).exclude(batch=batch).exclude(batch__state=Batch.State.CLOSED)
    for annotator, topic, document in assigned.values_list("annotator_id", "item__topic_id", "item__document_id"):
        met[annotator].add((topic, document))
    for annotator, topic, document in kept.values_list("reserved_for_id", "item__topic_id", "item__document_id"):
        met[annotator or 0].add((topic, document))
    gold = set(_gold_of(batch).values_list("topic_id", "document_id"))
    for annotator, topic, document in _open_elsewhere(batch, annotators):
        if (topic, document) in gold:
            met[annotator].add((topic, document))
    taught = _taught(batch)
    for annotator in annotators:
        met[annotator].update(taught)
    for annotator, topic, document in _answered(annotators):
        met[annotator].add((topic, document))
    return met


def _taught(batch: Batch) -> list[Pair]:
    """The pairs of the round that everybody goes through before this batch."""
    if batch.qualification_id is None:
        return []
    items = QualificationItem.objects.filter(qualification=batch.qualification_id)
    return list(items.values_list("topic_version__topic_id", "document_version__document_id"))


def _answered(annotators: Sequence[int]) -> Iterable[tuple[int, int, int]]:
    """The pairs of any round that each of the people has answered."""
    answers = QualificationAnswer.objects.filter(attempt__annotator__in=annotators)
    pair = ("item__topic_version__topic_id", "item__document_version__document_id")
    return answers.values_list("attempt__annotator_id", *pair).distinct()


def _open_elsewhere(batch: Batch, annotators: Sequence[int]) -> Iterable[tuple[int, int, int]]:
    """What lies open for the people in other batches: a pair that became gold since must not come as gold as well."""
    shared = Q(reserved_for__isnull=True) | Q(transferable=True)
    taking_part = Q(batch__participations__annotator__in=annotators, batch__participations__is_active=True)
    slots = Slot.objects.filter(shared, taking_part, item__topic__in=batch.topics.values("pk"))
    slots = slots.filter(laid_out()).exclude(batch=batch).exclude(batch__state=Batch.State.CLOSED)
    slots = slots.exclude(state=Slot.State.JUDGED)
    pair = ("batch__participations__annotator_id", "item__topic_id", "item__document_id")
    return slots.values_list(*pair).distinct()


def _gold_of(batch: Batch) -> QuerySet[GoldEvent]:
    return current_gold(batch.collection, batch.criterion, scale=batch.scale)


def _gold_before(batch: Batch, annotators: Sequence[int]) -> Counter[int]:
    """How many gold items each person has judged in other batches on the same scale and criterion."""
    judged = Judgment.objects.filter(
        annotator__in=annotators,
        scale=batch.scale_id,
        criterion=batch.criterion,
        item__planting__purpose=Planting.Purpose.GOLD,
    ).exclude(batch=batch)
    return Counter(dict(judged.values_list("annotator_id").annotate(n=Count("item", distinct=True))))
