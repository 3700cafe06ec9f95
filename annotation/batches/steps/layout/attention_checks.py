"""Documents for attention checks: chosen from the pools of other topics by `distance`, and read."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from annotation.batches.steps.layout.distance import Stems, distant_documents
from annotation.batches.steps.layout.material import TopicMaterial, Wanted
from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.models import Collection
from annotation.text.terms import topic_terms

CHOICE = 2  # documents to choose from for every check that is laid out
READ = 4  # documents read for every one of these, since some speak of the topic after all
CHUNK = 200
MOST_READ = 20_000  # characters of a document

DocumentsByTopic = Mapping[int, Sequence[int]]


def with_distant(
    collection: Collection, material: Sequence[TopicMaterial], pool: DocumentsByTopic, wanted: Wanted
) -> Iterator[TopicMaterial]:
    """The topics with the documents that attention checks may use; none where none is far enough.

    `pool`: of all topics of the pool, chosen or not. Reads some documents of each topic: eight for every check.
    """
    whole, titles = _stems_of_topics(collection, pool)
    choice = {topic.topic: CHOICE * topic.n_checks(wanted) for topic in material}
    candidates = {
        each.topic: list(islice(_candidates(each, pool, whole), READ * choice[each.topic])) for each in material
    }
    near = _near(collection, candidates, titles)
    for each in material:
        far = [document for document in candidates[each.topic] if document not in near[each.topic]]
        yield replace(each, distant=tuple(far[: choice[each.topic]]))


def _candidates(topic: TopicMaterial, pool: DocumentsByTopic, stems: Mapping[int, Stems]) -> Iterator[int]:
    return distant_documents(topic.topic, pool, frozenset({*topic.pool, *topic.gold, *topic.taught}), stems)


def _stems_of_topics(collection: Collection, pool: DocumentsByTopic) -> tuple[dict[int, Stems], dict[int, Stems]]:
    """By topic: the stems of its whole text, and of its title, or of its description where that is empty."""
    whole, titles = dict[int, Stems](), dict[int, Stems]()
    for version in current_topic_versions(collection).filter(topic__in=pool.keys()):
        whole[version.topic_id] = topic_terms(f"{version.title} {version.description} {version.narrative}")
        titles[version.topic_id] = topic_terms(version.title) or topic_terms(version.description)
    return whole, titles


def _near(collection: Collection, candidates: DocumentsByTopic, titles: Mapping[int, Stems]) -> dict[int, set[int]]:
    """By topic: the documents that speak of it, and those that are not to be read."""
    near = {topic: set(documents) for topic, documents in candidates.items()}
    topics_of: dict[int, list[int]] = defaultdict(list)
    for topic, documents in candidates.items():
        for document in documents:
            topics_of[document].append(topic)
    for document, stems in _stems_of_documents(collection, list(topics_of)):
        for topic in topics_of[document]:
            if not stems & titles.get(topic, Stems()):
                near[topic].discard(document)
    return near


def _stems_of_documents(collection: Collection, documents: Sequence[int]) -> Iterator[tuple[int, Stems]]:
    """The stems of each document's beginning, a portion of the documents at a time."""
    current = current_document_versions(collection).select_related(None)
    for start in range(0, len(documents), CHUNK):
        portion = current.filter(document__in=documents[start : start + CHUNK])
        for document, title, text in portion.values_list("document_id", "title", "text"):
            yield document, topic_terms(f"{title} {text[:MOST_READ]}")
