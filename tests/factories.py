"""Rows for tests, made plainly: every function returns what it made and does nothing else."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from io import BytesIO
from itertools import count

import numpy as np
from django.db.models import F
from django.utils import timezone

from annotation.formats.problems import Problems
from annotation.kernel.blocks import recount_blocks
from annotation.kernel.store import put
from annotation.models import (
    DEFAULT_GRADES,
    Adjudication,
    Annotator,
    Assignment,
    Batch,
    Collection,
    Document,
    DocumentVersion,
    GoldEvent,
    GuidelineVersion,
    Item,
    Judgment,
    Membership,
    Participation,
    Pool,
    Role,
    ScaleVersion,
    Slot,
    Snapshot,
    Topic,
    TopicVersion,
    User,
)
from annotation.models.tokens import new_token
from evaluation.engine.packed_vectors import pack_vectors
from evaluation.engine.run import load_run, pack_run
from evaluation.formats.run import parse_run
from evaluation.models import Run, VectorSet

_n = count(1)
PRIME = 2147483647  # as in the claim: shuffle and salt are spread below it


def make_user(name: str = "", *, may_create_collections: bool = False) -> User:
    user = _user(name, may_create_collections=may_create_collections)
    user.save()
    return user


def _user(name: str = "", **columns: object) -> User:
    user = User(username=name or f"user-{next(_n)}", **columns)
    user.set_unusable_password()
    return user


def make_collection(slug: str = "", *, admin: User | None = None) -> Collection:
    """A collection with the default scale and a first guideline."""
    collection = Collection.objects.create(slug=slug or f"collection-{next(_n)}", name="A collection")
    collection.scale = ScaleVersion.objects.create(
        collection=collection, number=1, sha256="0" * 64, grades=DEFAULT_GRADES
    )
    collection.guideline = GuidelineVersion.objects.create(
        collection=collection, number=1, sha256="0" * 64, introduction="Judge what the text says."
    )
    collection.save()
    if admin:
        make_member(collection, admin, Role.ADMIN)
    return collection


def make_member(collection: Collection, user: User | None = None, role: str = Role.ANNOTATOR) -> User:
    user = user or make_user()
    Membership.objects.create(collection=collection, user=user, role=role)
    return user


def make_annotator(collection: Collection, user: User | None = None, pseudonym: str = "") -> Annotator:
    """An annotator with a user who is a member as annotator."""
    user = user or make_user()
    Membership.objects.get_or_create(collection=collection, user=user, role=Role.ANNOTATOR)
    return Annotator.objects.create(collection=collection, user=user, pseudonym=pseudonym or f"annotator-{next(_n)}")


def make_annotators(collection: Collection, pseudonyms: Sequence[str]) -> list[Annotator]:
    """As many annotators ("" for any name) with users of their own, in three statements."""
    users = User.objects.bulk_create(_user() for _ in pseudonyms)
    Membership.objects.bulk_create(Membership(collection=collection, user=user, role=Role.ANNOTATOR) for user in users)
    return Annotator.objects.bulk_create(
        Annotator(collection=collection, user=user, pseudonym=pseudonym or f"annotator-{next(_n)}")
        for user, pseudonym in zip(users, pseudonyms, strict=True)
    )


def make_topic(
    collection: Collection, number: str = "", *, title: str = "A topic", description: str = "", narrative: str = ""
) -> Topic:
    return make_topics(collection, [number], title=title, description=description, narrative=narrative)[0]


def make_topics(collection: Collection, numbers: Sequence[str], **texts: str) -> list[Topic]:
    """Topics of these numbers ("" for any), all of the same texts, in two statements."""
    topics = Topic.objects.bulk_create(
        Topic(collection=collection, number=number or str(next(_n))) for number in numbers
    )
    TopicVersion.objects.bulk_create(
        TopicVersion(**{"collection": collection, "topic": topic, "sha256": "0" * 64, "title": "A topic", **texts})
        for topic in topics
    )
    return topics


def make_document(
    collection: Collection, docno: str = "", *, title: str = "A document", text: str = "Some text."
) -> Document:
    return make_documents(collection, [docno], title=title, text=text)[0]


def make_documents(
    collection: Collection, docnos: Sequence[str], *, title: str = "A document", text: str = "Some text."
) -> list[Document]:
    """Documents of these docnos ("" for any), all of the same texts, in two statements."""
    documents = Document.objects.bulk_create(
        Document(collection=collection, docno=docno or f"D{next(_n)}") for docno in docnos
    )
    DocumentVersion.objects.bulk_create(
        DocumentVersion(collection=collection, document=document, sha256="0" * 64, title=title, text=text)
        for document in documents
    )
    return documents


def make_batch(
    collection: Collection,
    annotators: list[Annotator],
    *,
    n_topics: int = 1,
    n_documents: int = 4,
    judgments_per_item: int = 2,
    **settings: object,
) -> Batch:
    """An open batch without planted items: every topic with every document, one block a topic, no minimum time."""
    topics = make_topics(collection, [""] * n_topics)
    documents = make_documents(collection, [""] * n_documents)
    pool = Pool.objects.create(collection=collection, name=f"pool-{next(_n)}", n_pairs=n_topics * n_documents)
    batch = Batch.objects.create(
        **{
            "collection": collection,
            "name": f"batch-{next(_n)}",
            "pool": pool,
            "scale": collection.scale,
            "state": Batch.State.OPEN,
            "judgments_per_item": judgments_per_item,
            "minimum_seconds": 0,
            "seed": 1,
            "n_expected": n_topics * n_documents * judgments_per_item,
            **settings,
        }
    )
    shuffled = [[pow(48271, 100 * block + n + 2, PRIME) for n in range(n_documents)] for block in range(n_topics)]
    _make_items(batch, zip(topics, count(), shuffled), documents)
    Participation.objects.bulk_create(
        Participation(batch=batch, annotator=annotator, salt=pow(69621, place + 3, PRIME))
        for place, annotator in enumerate(annotators)
    )
    return batch


def make_item(batch: Batch, topic: Topic, document: Document, *, block: int = 0, shuffle: int = 1) -> Item:
    """An item with one open slot for each wanted judgment."""
    return make_items(batch, topic, [document], block=block, shuffles=[shuffle])[0]


def make_items(
    batch: Batch, topic: Topic, documents: Sequence[Document], *, block: int = 0, shuffles: Sequence[int] = ()
) -> list[Item]:
    """The items of a topic as `make_item` makes each, in four statements."""
    return _make_items(batch, [(topic, block, shuffles or [1] * len(documents))], documents)


def _make_items(
    batch: Batch, parts: Iterable[tuple[Topic, int, Sequence[int]]], documents: Sequence[Document]
) -> list[Item]:
    """Those of `(topic, block, shuffles)`, each with all documents, in as many statements as those of one topic."""
    parts = list(parts)
    topic_version = {
        version.topic_id: version
        for version in TopicVersion.objects.filter(topic__in=[topic for topic, _, _ in parts], is_current=True)
    }
    document_version = {
        version.document_id: version
        for version in DocumentVersion.objects.filter(document__in=documents, is_current=True)
    }
    items = Item.objects.bulk_create(
        Item(
            collection=batch.collection,
            batch=batch,
            topic=topic,
            document=document,
            topic_version=topic_version[topic.pk],
            document_version=document_version[document.pk],
            scale=batch.scale,
            block=block,
            shuffle=shuffle,
        )
        for topic, block, shuffles in parts
        for document, shuffle in zip(documents, shuffles, strict=True)
    )
    Slot.objects.bulk_create(
        Slot(collection=batch.collection, batch=batch, item=item, n=n, block=item.block)
        for item in items
        for n in range(batch.judgments_per_item)
    )
    recount_blocks(batch, {block for _, block, _ in parts})
    return items


def make_participation(batch: Batch, annotator: Annotator, *, salt: int = 1) -> Participation:
    return Participation.objects.create(batch=batch, annotator=annotator, salt=salt)


def make_snapshot(collection: Collection, text: str, *, name: str = "") -> Snapshot:
    """An imported snapshot of TREC qrels text."""
    pairs = [line.split() for line in text.splitlines()]
    return Snapshot.objects.create(
        collection=collection,
        name=name or f"snapshot-{next(_n)}",
        origin=Snapshot.Origin.IMPORTED,
        qrels_sha256=put(text.encode()),
        n_topics=len({pair[0] for pair in pairs}),
        n_pairs=len(pairs),
    )


def make_run(collection: Collection, text: str) -> Run:
    """A run of TREC run text, packed as an import packs it."""
    packed = pack_run(parse_run(BytesIO(text.encode()), Problems("run")))
    run = load_run(packed)
    return Run.objects.create(
        collection=collection,
        tag=run.tag,
        sha256=put(packed),
        n_topics=run.n_topics,
        n_rows=run.n_rows,
        n_tied=run.n_tied,
    )


def make_vectors(
    collection: Collection, side: str, ids: Sequence[str], *, model: str = "mine", dim: int = 4, seed: int = 0
) -> VectorSet:
    """Vectors drawn at random, packed as an import packs them."""
    vector = np.random.default_rng(seed).standard_normal((len(ids), dim)).astype(np.float32)
    return VectorSet.objects.create(
        collection=collection,
        model=model,
        side=side,
        similarity="cosine",
        sha256=put(b"".join(pack_vectors(vector, list(ids)))),
        filename=f"{side}.npy",
        numbers="float32",
        dim=dim,
        n_rows=len(ids),
    )


def make_judgment(item: Item, annotator: Annotator, grade: int, *, reading: int = 1, **columns: object) -> Judgment:
    """A grade as it stands once saved; another one of the same person, item and reading is the next revision.

    `columns`: those of the judgment. Slots and the item's counter are left alone.
    """
    now = timezone.now()
    assignment, revision = Assignment.objects.filter(item=item, annotator=annotator, reading=reading).first(), 1
    if assignment:
        revision += assignment.judgments.count()
    else:
        assignment = _assignment(item, annotator, now, reading=reading)
        assignment.save()
    columns = {"assignment": assignment, "revision": revision, "created_at": now, **columns}
    judgment = _judgment(item, annotator, grade, **columns)
    judgment.save()
    _count_first([judgment])
    return judgment


def make_judgments(grades: Sequence[tuple[Item, Annotator, int]], *, slots: Sequence[Slot] = ()) -> list[Judgment]:
    """First grades, as `make_judgment` makes each; in these slots, if wanted."""
    places: Sequence[Slot | None] = slots or [None] * len(grades)
    assignments = Assignment.objects.bulk_create(
        _assignment(item, annotator, timezone.now(), slot=slot)
        for (item, annotator, _), slot in zip(grades, places, strict=True)
    )
    judgments = Judgment.objects.bulk_create(
        _judgment(item, annotator, grade, assignment=assignment, revision=1, created_at=assignment.claimed_at)
        for assignment, (item, annotator, grade) in zip(assignments, grades, strict=True)
    )
    _count_first(judgments)
    return judgments


def _count_first(judgments: Iterable[Judgment]) -> None:
    """On the participations, as judging does; whoever has none took part once."""
    first = Counter((each.batch_id, each.annotator_id) for each in judgments if each.revision == 1)
    for (batch, annotator), n in first.items():
        key = {"batch_id": batch, "annotator_id": annotator}
        if not Participation.objects.filter(**key).update(n_judged=F("n_judged") + n):
            Participation.objects.create(**key, salt=1, is_active=False, n_judged=n)


def _assignment(
    item: Item, annotator: Annotator, now: datetime, *, reading: int = 1, slot: Slot | None = None
) -> Assignment:
    return Assignment(
        collection=item.collection,
        batch=item.batch,
        item=item,
        annotator=annotator,
        slot=slot,
        reading=reading,
        state=Assignment.State.JUDGED if slot else Assignment.State.SURPLUS,
        guideline=item.collection.guideline,
        claimed_at=now,
        ended_at=now,
    )


def _judgment(item: Item, annotator: Annotator, grade: int, **columns: object) -> Judgment:
    return Judgment(
        **{
            "collection": item.collection,
            "batch": item.batch,
            "item": item,
            "topic": item.topic,
            "document": item.document,
            "annotator": annotator,
            "token": new_token(),
            "criterion": item.batch.criterion,
            "scale": item.scale,
            "guideline": item.collection.guideline,
            "grade": grade,
            "active_ms": 8000,
            "wall_ms": 12000,
            **columns,
        }
    )


def make_decision(item: Item, grade: int, *, by: User | None = None) -> Adjudication:
    """As pairs were decided before there were readings: no grade given blind, no times."""
    return Adjudication.objects.create(
        collection=item.collection,
        topic=item.topic,
        document=item.document,
        scale=item.scale,
        grade=grade,
        reason="Read it",
        created_by=by or make_user(),
    )


def make_gold(item: Item, grade: int, *, accepted: list[int] | None = None) -> GoldEvent:
    """The item's pair is gold from now on."""
    return make_golds([item], grade, accepted=accepted)[0]


def make_golds(items: Sequence[Item], grade: int, *, accepted: list[int] | None = None) -> list[GoldEvent]:
    return GoldEvent.objects.bulk_create(
        GoldEvent(
            collection=item.collection,
            topic=item.topic,
            document=item.document,
            criterion=item.batch.criterion,
            scale=item.scale,
            action=GoldEvent.Action.SET,
            grade=grade,
            accepted=accepted or [grade],
        )
        for item in items
    )
