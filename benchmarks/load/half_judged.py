"""A large batch in the middle of the work, written by a few statements that both databases know."""

from dataclasses import dataclass
from itertools import count

from django.db import connection
from django.utils import timezone

from annotation.judging.steps.workspace import Workspace, workspace_of
from annotation.kernel.blocks import recount_blocks
from annotation.kernel.bulk_rows import tell_planner
from annotation.models import (
    DEFAULT_GRADES,
    Annotator,
    Assignment,
    Batch,
    Block,
    Collection,
    Document,
    DocumentVersion,
    Item,
    Participation,
    Pool,
    ScaleVersion,
    Slot,
    Topic,
    TopicVersion,
)

PRIME = 2147483647
_n = count(1)

_ITEMS = """
INSERT INTO annotation_item (collection_id, batch_id, token, topic_id, document_id, topic_version_id,
                             document_version_id, scale_id, block, shuffle, n_judged, stratum, withheld)
SELECT t.collection_id, %s, t.topic_id || '-' || d.document_id, t.topic_id, d.document_id, t.id, d.id, %s,
       (t.topic_id - %s) * %s + (d.document_id - %s) / %s,
       1 + (t.topic_id * 48271 + d.document_id * 69621) %% 2147483000, 0, NULL, %s
FROM annotation_topicversion t JOIN annotation_documentversion d ON d.collection_id = t.collection_id
WHERE t.collection_id = %s
"""
_SLOTS = """
INSERT INTO annotation_slot (collection_id, batch_id, item_id, n, block, state, transferable, reading)
SELECT i.collection_id, i.batch_id, i.id, m.n, i.block,
       CASE WHEN i.block %% 3 = 0 OR i.block %% 3 = 1 AND m.n = 0 THEN 'judged' ELSE 'open' END, %s, 1
FROM annotation_item i CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2) m
WHERE i.batch_id = %s
"""


@dataclass(frozen=True)
class HalfJudged:
    batch: Batch
    people: list[Participation]

    def workspace(self, person: Participation) -> Workspace:
        return workspace_of(person, moment=timezone.now())

    def judge_whole_blocks(self, person: Participation, n: int) -> None:
        """The person has judged every pair of so many blocks that are begun."""
        blocks = Block.objects.filter(batch=self.batch, begun=True, n_open__gt=0).order_by("number")[:n]
        items = Item.objects.filter(batch=self.batch, block__in=list(blocks.values_list("number", flat=True)))
        moment = timezone.now()
        Assignment.objects.bulk_create(
            Assignment(
                collection_id=self.batch.collection_id, batch=self.batch, item=item, annotator_id=person.annotator_id,
                state=Assignment.State.SURPLUS, claimed_at=moment, ended_at=moment,
            )
            for item in items
        )  # fmt: skip
        tell_planner(Assignment)

    def judge_all_but(self, n: int) -> None:
        """The others have judged every pair but those of the first blocks that are begun, so many."""
        left = Block.objects.filter(batch=self.batch, begun=True, n_open__gt=0).order_by("number")[:n]
        others = Slot.objects.filter(batch=self.batch).exclude(block__in=list(left.values_list("number", flat=True)))
        others.update(state=Slot.State.JUDGED)
        recount_blocks(self.batch)
        tell_planner(Slot, Block)


def half_judged_batch(*, n_topics: int, n_documents: int, block_size: int, n_people: int) -> HalfJudged:
    """Every topic with every document. A third of the blocks is judged, a third has one of three judgments a pair."""
    collection = Collection.objects.create(slug=f"large-{next(_n)}", name="Large")
    scale = ScaleVersion.objects.create(collection=collection, number=1, sha256="0" * 64, grades=DEFAULT_GRADES)
    topics = Topic.objects.bulk_create(Topic(collection=collection, number=str(n)) for n in range(n_topics))
    TopicVersion.objects.bulk_create(
        TopicVersion(collection=collection, topic=topic, sha256="0" * 64, title="A topic") for topic in topics
    )
    documents = Document.objects.bulk_create(Document(collection=collection, docno=str(n)) for n in range(n_documents))
    DocumentVersion.objects.bulk_create(
        DocumentVersion(collection=collection, document=each, sha256="0" * 64, title="", text="Some text.")
        for each in documents
    )
    pool = Pool.objects.create(collection=collection, name="pool", n_pairs=n_topics * n_documents)
    batch = Batch.objects.create(collection=collection, name="large", pool=pool, scale=scale, state="open", seed=1)
    blocks_of_topic = -(-n_documents // block_size)
    with connection.cursor() as cursor:
        at = (topics[0].pk, blocks_of_topic, documents[0].pk, block_size)
        cursor.execute(_ITEMS, [batch.pk, scale.pk, *at, False, collection.pk])
        cursor.execute(_SLOTS, [False, batch.pk])
    tell_planner(Item, Slot, Topic, Document)
    recount_blocks(batch)
    tell_planner(Block)
    annotators = Annotator.objects.bulk_create(
        Annotator(collection=collection, pseudonym=f"A-{n}") for n in range(n_people)
    )
    people = [
        Participation.objects.create(batch=batch, annotator=each, salt=pow(48271, n + 1, PRIME))
        for n, each in enumerate(annotators)
    ]
    return HalfJudged(batch, people)
