"""Rows for people to judge: run with `make PAIRS PEOPLE…` or `check TOKEN`, in the environment of the server."""

import json
import os
import random
import sys
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "touchstone.settings")
django.setup()

from annotation.batches.steps.batches import (  # noqa: E402
    BatchSettings,
    create_batch,
    open_batch,
)
from annotation.batches.steps.layout import lay_out  # noqa: E402
from annotation.corpus.steps.collections import create_collection  # noqa: E402
from annotation.models import (  # noqa: E402 -- Django is set up first
    DEFAULT_GRADES,
    Annotator,
    Batch,
    Collection,
    Document,
    DocumentVersion,
    GoldEvent,
    Membership,
    Pool,
    PoolPair,
    Role,
    Topic,
    TopicVersion,
    User,
)
from tests.journeys.invariants import broken_invariants  # noqa: E402
from tests.live import sign_in  # noqa: E402

DOCUMENTS_PER_TOPIC = 50
CHARACTERS = 3000  # of a document, as in the weight that a card may have
EVERY = 6  # one pair in six is gold


def make(n_pairs: int, people: list[int]) -> list[dict[str, object]]:
    admin = User.objects.create(username="admin")
    collection = create_collection(slug="bench", name="Bench", description="", grades=DEFAULT_GRADES, actor=admin)
    n_topics = max(1, n_pairs // DOCUMENTS_PER_TOPIC)
    topics, documents = _texts(collection, n_topics)
    annotators = [_annotator(collection, n) for n in range(max(people))]
    pool = Pool.objects.create(collection=collection, name="all", n_pairs=n_topics * len(documents))
    pairs = [
        PoolPair(pool=pool, topic=topic, document=document, rank=rank)
        for topic in topics
        for rank, document in enumerate(documents, 1)
    ]
    PoolPair.objects.bulk_create(pairs, batch_size=1000)
    GoldEvent.objects.bulk_create(
        GoldEvent(
            collection=collection, topic=pair.topic, document=pair.document, scale=collection.scale,
            action="set", grade=n % 5, accepted=[n % 5],
        )
        for n, pair in enumerate(pairs[::EVERY])
    )  # fmt: skip
    return [_batch(pool, topics, annotators[:n], seed=place + 1, admin=admin) for place, n in enumerate(people)]


def check(token: str, acknowledged: dict[str, int]) -> list[str]:
    return broken_invariants(Batch.objects.get(token=token), acknowledged)


def _texts(collection: Collection, n_topics: int) -> tuple[list[Topic], list[Document]]:
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 11))) for _ in range(4000)]
    topics = Topic.objects.bulk_create(Topic(collection=collection, number=str(n)) for n in range(1, n_topics + 1))
    TopicVersion.objects.bulk_create(
        TopicVersion(
            collection=collection, topic=topic, sha256="0" * 64, title=" ".join(rng.choices(words, k=4)),
            description=" ".join(rng.choices(words, k=15)), narrative=" ".join(rng.choices(words, k=60)),
        )
        for topic in topics
    )  # fmt: skip
    documents = Document.objects.bulk_create(
        Document(collection=collection, docno=f"D{n:05}") for n in range(DOCUMENTS_PER_TOPIC)
    )
    DocumentVersion.objects.bulk_create(
        DocumentVersion(
            collection=collection, document=document, sha256="0" * 64, title=" ".join(rng.choices(words, k=8)),
            text=_paragraphs(rng, words),
        )
        for document in documents
    )  # fmt: skip
    return topics, documents


def _paragraphs(rng: random.Random, words: list[str]) -> str:
    text = ""
    while len(text) < CHARACTERS:
        text += " ".join(rng.choices(words, k=12)).capitalize() + rng.choice([". ", ". ", ". ", ".\n\n"])
    return text[:CHARACTERS]


def _annotator(collection: Collection, n: int) -> Annotator:
    user = User.objects.create(username=f"person-{n}")
    Membership.objects.create(collection=collection, user=user, role=Role.ANNOTATOR)
    return Annotator.objects.create(collection=collection, user=user, pseudonym=f"P{n:02}")


def _batch(
    pool: Pool, topics: list[Topic], annotators: list[Annotator], *, seed: int, admin: User
) -> dict[str, object]:
    settings = BatchSettings(name=f"{seed}: {len(annotators)} people", pool=pool, seed=seed, minimum_seconds=0)
    batch = create_batch(pool.collection, settings=settings, topics=topics, annotators=annotators, actor=admin)
    lay_out(batch, actor=admin)
    open_batch(Batch.objects.get(pk=batch.pk), actor=admin)
    people = [annotator.user for annotator in annotators if annotator.user is not None]
    return {"token": batch.token, "sessions": [sign_in(person) for person in people]}


if __name__ == "__main__":
    if sys.argv[1] == "make":
        print(json.dumps(make(int(sys.argv[2]), [int(n) for n in sys.argv[3:]])))
    else:
        print(json.dumps(check(sys.argv[2], json.load(sys.stdin))))
