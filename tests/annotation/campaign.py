"""A small collection ready to be laid out: topics with documents of their own, a pool, gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.batches.steps.batches import BatchSettings, create_batch
from annotation.corpus.steps.pooling import create_pool
from annotation.formats.pairs import PairRow
from annotation.formats.problems import Problems
from annotation.gold.steps.events import set_gold
from annotation.models import Annotator, Batch, Collection, Document, GoldEvent, Pool, Topic
from tests.factories import make_annotators, make_collection, make_documents, make_topic


@dataclass(frozen=True)
class Campaign:
    collection: Collection
    topics: list[Topic]
    documents: list[list[Document]]  # of each topic
    pool: Pool
    annotators: list[Annotator]

    def draft(self, *, name: str = "first", annotators: Sequence[Annotator] | None = None, **settings: Any) -> Batch:
        """A draft batch of all topics and people."""
        chosen = BatchSettings(name=name, pool=self.pool, **{"seed": 7, "block_size": 10, **settings})
        people = self.annotators if annotators is None else annotators
        return create_batch(self.collection, settings=chosen, topics=self.topics, annotators=people, actor=None)

    def set_gold(self, topic: int, document: int, grade: int) -> None:
        set_gold(
            self.collection,
            topic=self.topics[topic],
            document=self.documents[topic][document],
            grade=grade,
            accepted=[],
            reason="",
            actor=None,
        )

    def set_golds(self, grades: Mapping[tuple[int, int], int]) -> None:
        """By the numbers of topic and document, in one statement and without a line in the audit log."""
        GoldEvent.objects.bulk_create(
            GoldEvent(
                collection=self.collection,
                topic=self.topics[topic],
                document=self.documents[topic][document],
                scale=self.collection.scale,
                action=GoldEvent.Action.SET,
                grade=grade,
                accepted=[grade],
            )
            for (topic, document), grade in grades.items()
        )


def make_campaign(
    collection: Collection | None = None,
    *,
    n_topics: int = 3,
    n_pairs: int = 12,
    n_gold: int = 6,
    n_people: int = 4,
) -> Campaign:
    """Each topic has `n_pairs` pooled documents and four more; every other gold document is in the pool."""
    collection = collection or make_collection()
    topics = [make_topic(collection, f"T{t}", title=f"Topic {t}") for t in range(1, n_topics + 1)]
    documents = [
        make_documents(collection, [f"D{t}-{d:02}" for d in range(n_pairs + 4)]) for t in range(1, n_topics + 1)
    ]
    pairs = [
        PairRow(topic.number, document.docno, 0)
        for topic, own in zip(topics, documents, strict=True)
        for document in own[:n_pairs]
    ]
    pool = create_pool(collection, name="pool", pairs=pairs, problems=Problems("x"), origin={}, created_by=None)
    annotators = make_annotators(collection, [f"A-{n}" for n in range(1, n_people + 1)])
    campaign = Campaign(collection, topics, documents, pool, annotators)
    places = [g // 2 if g % 2 == 0 else n_pairs + 4 - 1 - g // 2 for g in range(n_gold)]
    campaign.set_golds({(t, place): g % 5 for t in range(n_topics) for g, place in enumerate(places)})
    return campaign
