"""A draft batch of a company's size, written by a few statements."""

from annotation.batches.steps.batches import BatchSettings, create_batch
from annotation.corpus.steps.collections import create_collection
from annotation.models import (
    DEFAULT_GRADES,
    Annotator,
    Batch,
    Collection,
    Document,
    DocumentVersion,
    GoldEvent,
    Pool,
    PoolPair,
    Topic,
    TopicVersion,
    User,
)

CHUNK = 5000


def make_company(*, n_topics: int, n_pairs: int, n_gold: int, n_people: int, slug: str = "company") -> Batch:
    """So many ordinary and gold pairs, spread evenly over topics that share their documents."""
    admin, _ = User.objects.get_or_create(username="admin")
    collection = create_collection(slug=slug, name="Company", description="", grades=DEFAULT_GRADES, actor=admin)
    topics, documents = _texts(collection, n_topics, -(-(n_pairs + n_gold) // n_topics))
    pool = Pool.objects.create(collection=collection, name="all", n_pairs=n_topics * len(documents))
    pairs = (
        PoolPair(pool=pool, topic=topic, document=document, rank=rank)
        for topic in topics
        for rank, document in enumerate(documents, 1)
    )
    PoolPair.objects.bulk_create(pairs, batch_size=CHUNK)
    gold_of_each = -(-n_gold // n_topics)
    GoldEvent.objects.bulk_create(
        (
            GoldEvent(
                collection=collection, topic=topic, document=document, scale=collection.scale,
                action="set", grade=n % 5, accepted=[n % 5],
            )
            for topic in topics
            for n, document in enumerate(documents[:gold_of_each])
        ),
        batch_size=CHUNK,
    )  # fmt: skip
    people = Annotator.objects.bulk_create(
        Annotator(collection=collection, pseudonym=f"P{n:04}", simulated=True) for n in range(n_people)
    )
    settings = BatchSettings(name="Company", pool=pool, seed=1)
    return create_batch(collection, settings=settings, topics=topics, annotators=people, actor=admin)


def _texts(collection: Collection, n_topics: int, n_documents: int) -> tuple[list[Topic], list[Document]]:
    topics = Topic.objects.bulk_create(Topic(collection=collection, number=str(n)) for n in range(1, n_topics + 1))
    TopicVersion.objects.bulk_create(
        TopicVersion(collection=collection, topic=topic, sha256="0" * 64, title=topic.number) for topic in topics
    )
    documents = Document.objects.bulk_create(
        Document(collection=collection, docno=f"D{n:05}") for n in range(n_documents)
    )
    DocumentVersion.objects.bulk_create(
        DocumentVersion(collection=collection, document=document, sha256="0" * 64, text=document.docno)
        for document in documents
    )
    return topics, documents
