"""Topics that were drawn from a query log."""

from collections.abc import Iterator

from django.db.models import QuerySet

from annotation.corpus.read.texts import current_topic_versions
from annotation.models import Collection, TopicVersion

COLUMNS = ("number", "title", "count", "stratum", "probability")


def sampled_topics(collection: Collection) -> QuerySet[TopicVersion]:
    """Their current texts, `topic.sampled` joined."""
    return current_topic_versions(collection).filter(topic__sampled__isnull=False).select_related("topic__sampled")


def sample_lines(collection: Collection) -> Iterator[bytes]:
    """The sample as TSV, which `estimate_means --sample` reads."""
    yield "\t".join(COLUMNS).encode() + b"\n"
    for text in sampled_topics(collection).iterator(chunk_size=1000):
        one = text.topic.sampled
        title, stratum = (" ".join(each.split()) for each in (text.title, one.stratum))
        yield f"{text.topic.number}\t{title}\t{one.count}\t{stratum}\t{one.probability!r}\n".encode()
