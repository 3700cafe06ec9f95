"""Judgments of a file become a batch: topics, documents, items, people, then who judged what.

All of it stays out of sight until the import is published.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import QuerySet

from annotation.exchange.steps.importing.judgments.assignments import Rows, store_meetings
from annotation.exchange.steps.importing.judgments.columns import JudgmentColumns
from annotation.exchange.steps.importing.judgments.people import People
from annotation.exchange.steps.importing.texts import DOCUMENTS, TOPICS, TextKind
from annotation.kernel.bulk_rows import Alike, Values, portions, tell_planner, write
from annotation.kernel.jobs import JobRun
from annotation.kernel.visible import published
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Collection,
    Document,
    Import,
    Item,
    Judgment,
    Participation,
    Topic,
)
from annotation.models.tokens import new_token

ITEM = ("token", "topic_id", "document_id", "topic_version_id", "document_version_id", "block", "n_judged")

Text = tuple[int, int | None]  # a topic or document, and its current text if there is one


def store_judgments(record: Import, name: str, *, columns: JudgmentColumns, people: People, run: JobRun) -> None:
    """Stage it all under the import."""
    topics = _texts(record, TOPICS, columns.numbers, run)
    documents = _texts(record, DOCUMENTS, columns.docnos, run)
    sizes = {"n_expected": len(columns.meetings.pair), "n_items": columns.meetings.n_pairs}
    batch = _batch(record, name, sizes, topics=topics, run=run)
    rows = Rows(
        topics=[topic for topic, _ in topics],
        documents=[document for document, _ in documents],
        items=_items(batch, columns, topics, documents, run),
        annotators=_annotators(batch, columns, people, run),
    )
    store_meetings(batch, columns, rows=rows, run=run)
    tell_planner(Topic, Document, Item, Annotator, Participation, Assignment, Judgment)


def texts_here(collection: Collection, kind: TextKind, ids: Iterable[str]) -> dict[str, Text]:
    """Those of the topics or documents that the collection has."""
    texts: dict[str, Text] = {}
    for some in portions(ids):
        rows = dict(kind.visible(collection, some).values_list(kind.key, "pk"))
        versions: QuerySet[Any] = QuerySet(kind.version).filter(
            published(), **{f"{kind.noun}__in": rows.values()}, is_current=True
        )
        version_by_row = dict(versions.values_list(f"{kind.noun}_id", "pk"))
        texts |= {each: (pk, version_by_row.get(pk)) for each, pk in rows.items()}
    return texts


def _texts(record: Import, kind: TextKind, ids: Iterable[str], run: JobRun) -> list[Text]:
    """Of each id, the missing ones made."""
    here = texts_here(record.collection, kind, ids)
    sample = kind.model(collection=record.collection, brought_by=record)
    write(Alike(sample, [kind.key]), ((each,) for each in ids if each not in here), run=run)
    new = kind.model.objects.filter(brought_by=record).values_list(kind.key, "pk")
    here |= {each: (pk, None) for each, pk in new}
    return [here[each] for each in ids]


def _batch(record: Import, name: str, sizes: Mapping[str, int], *, topics: Sequence[Text], run: JobRun) -> Batch:
    assert record.collection.scale is not None
    with transaction.atomic():
        run.fence()
        batch = Batch.objects.create(
            collection=record.collection,
            name=name,
            state=Batch.State.IMPORTING,
            brought_by=record,
            scale=record.collection.scale,
            gold_share=0.0,
            minimum_seconds=0,
            seed=0,
            **sizes,
            created_by=record.created_by,
        )
        batch.topics.set([topic for topic, _ in topics])
    return batch


def _items(
    batch: Batch, columns: JudgmentColumns, topics: Sequence[Text], documents: Sequence[Text], run: JobRun
) -> list[int]:
    """One for each pair, without slots: nobody is handed it."""
    sample = Item(collection_id=batch.collection_id, batch_id=batch.pk, scale_id=batch.scale_id, shuffle=0)
    write(Alike(sample, ITEM), _item_values(columns, topics, documents), run=run)
    return list(Item.objects.filter(batch=batch).order_by("pk").values_list("pk", flat=True))


def _item_values(columns: JudgmentColumns, topics: Sequence[Text], documents: Sequence[Text]) -> Iterator[Values]:
    meetings = columns.meetings
    n_judged = np.bincount(meetings.pair, minlength=meetings.n_pairs).tolist()
    for topic, document, n in zip(meetings.pair_topic.tolist(), meetings.pair_document.tolist(), n_judged, strict=True):
        pair = (topics[topic][0], documents[document][0], topics[topic][1], documents[document][1])
        yield (new_token(), *pair, topic, n)


def _annotators(batch: Batch, columns: JudgmentColumns, people: People, run: JobRun) -> list[int]:
    """The row of each code; everybody takes part."""
    sample = Annotator(
        collection_id=batch.collection_id, brought_by_id=batch.brought_by_id, created_at=batch.created_at
    )
    kinds = {True: Annotator.Kind.MACHINE.value, False: Annotator.Kind.PERSON.value}
    newcomers = ((pseudonym, kinds[name in people.machines]) for name, pseudonym in people.pseudonyms.items())
    write(Alike(sample, ["pseudonym", "kind"]), newcomers, run=run)
    new = dict(Annotator.objects.filter(brought_by=batch.brought_by_id).values_list("pseudonym", "pk"))
    keys = people.keys | {name: new[pseudonym] for name, pseudonym in people.pseudonyms.items()}
    annotators = [keys[name] for name in columns.people]
    n_judged = np.bincount(columns.meetings.annotator, minlength=len(annotators)).tolist()
    part = Alike(Participation(batch_id=batch.pk, salt=1, created_at=batch.created_at), ["annotator_id", "n_judged"])
    write(part, zip(annotators, n_judged, strict=True), run=run)
    return annotators
