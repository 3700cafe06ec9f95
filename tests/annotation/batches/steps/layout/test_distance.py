"""Which documents an attention check may use: of the farthest topics, and none that speaks of this one."""

from dataclasses import replace

import pytest

from annotation.batches.steps.deletion import delete_batch
from annotation.batches.steps.layout import dry_run, lay_out
from annotation.batches.steps.layout.distance import distant_documents, likeness, topics_by_distance
from annotation.batches.steps.layout.rows import read_material
from annotation.models import DocumentVersion, Planting, TopicVersion
from tests.annotation.campaign import Campaign, make_campaign

pytestmark = pytest.mark.both("locks")

NO_STEMS: dict[int, frozenset[str]] = {}


def far(topic: int, pool: dict[int, list[int]], gold: list[int]) -> list[int]:
    return list(distant_documents(topic, pool, frozenset([*pool.get(topic, []), *gold]), NO_STEMS))


def test_the_topic_that_shares_least_comes_first_and_its_own_documents_never() -> None:
    pool = {1: [1, 2, 3], 2: [1, 2, 9], 3: [7, 8, 9], 4: [3, 6]}
    assert topics_by_distance(1, pool, frozenset(pool[1]), NO_STEMS) == [3, 4, 2]
    assert far(1, pool, []) == [7, 8, 9, 6]
    assert far(1, pool, [7]) == [8, 9, 6]
    assert far(1, {1: [1, 2]}, []) == []


def test_the_nearer_half_of_the_topics_is_left_out() -> None:
    pool = {1: [1, 2], 2: [1, 8], 3: [9], 4: [7, 6], 5: [2, 1]}
    assert topics_by_distance(1, pool, frozenset(pool[1]), NO_STEMS) == [3, 4, 2, 5]
    assert far(1, pool, []) == [9, 7, 6]


def test_of_topics_that_share_no_document_the_one_with_other_words_comes_first() -> None:
    pool = {1: [1], 2: [2], 3: [3], 4: [4]}
    stems = {
        1: frozenset({"bee", "hive"}),
        2: frozenset({"bee", "sting"}),
        3: frozenset({"tax"}),
        4: frozenset({"tax"}),
    }
    assert topics_by_distance(1, pool, frozenset({1}), stems) == [3, 4, 2]
    assert likeness(stems[1], stems[2]) == pytest.approx(1 / 3)
    assert likeness(frozenset(), frozenset()) == 0


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Three topics; the second is about what the first is about."""
    campaign = make_campaign()
    titles = ("bees in winter", "feeding bees", "income tax")
    for topic, title in zip(campaign.topics, titles, strict=True):
        TopicVersion.objects.filter(topic=topic).update(title=title)
    return campaign


def checked(campaign: Campaign, topic: int) -> set[str]:
    plantings = Planting.objects.filter(purpose="check", item__topic=campaign.topics[topic])
    return set(plantings.values_list("item__document__docno", flat=True))


def test_checks_are_of_the_topic_with_other_words(campaign: Campaign) -> None:
    lay_out(campaign.draft(check_share=0.1), actor=None)
    assert {docno.partition("-")[0] for docno in checked(campaign, 0) | checked(campaign, 1)} == {"D3"}


def test_a_document_that_speaks_of_the_topic_is_no_check(campaign: Campaign) -> None:
    """In whatever form the word stands. Where all speak of it, the topic has no checks, and the dry run says so."""
    draft = campaign.draft(check_share=0.1)
    speaking = DocumentVersion.objects.filter(document__docno__startswith="D3-0")
    speaking.update(text="Whoever keeps a bee pays no tax.")
    material = {topic.number: topic for topic in read_material(draft).topics}
    docnos = {document.pk: document.docno for documents in campaign.documents for document in documents}
    assert {docnos[document] for document in material["T1"].distant} == {"D3-10", "D3-11"}
    DocumentVersion.objects.update(text="Bees, feeding and taxes on income in winter.")
    result = dry_run(draft)
    assert result.n_checks == 0
    assert "No documents far enough from the topic for attention checks: T1, T2, T3." in result.warnings


def test_without_checks_no_document_is_read(campaign: Campaign) -> None:
    draft = campaign.draft()
    assert {topic.distant for topic in read_material(draft).topics} == {()}
    with_checks = campaign.draft(name="second", check_share=0.1)
    assert [replace(topic, distant=()) for topic in read_material(with_checks).topics] == list(
        read_material(draft).topics
    )
    delete_batch(with_checks, actor=None)
