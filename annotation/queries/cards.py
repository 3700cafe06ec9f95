"""What a card shows: the texts pinned by its item, with the topic's words found in the document."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from annotation.models import Batch, Card, DocumentVersion, Item, Judgment
from annotation.text import sanitise
from annotation.text.highlight import Segment, highlight
from annotation.text.safe import SafeHtml


@dataclass(frozen=True)
class CardContent:
    """A card ready to be rendered. `floor_ms`: what is left of the batch's minimum time.

    The document is plain text in `paragraphs`, or `html`, sanitised once more.
    """

    token: str
    topic_number: str
    topic_title: str
    topic_description: str
    topic_narrative: str
    title: str
    paragraphs: list[list[Segment]]
    html: SafeHtml
    is_revision: bool
    grade: int | None
    comment: str
    floor_ms: int


def card_content(card: Card, *, batch: Batch, moment: datetime) -> CardContent:
    item = Item.objects.select_related("topic", "topic_version", "document_version").get(pk=card.assignment.item_id)
    topic, document = item.texts
    standing = standing_judgment(card)
    is_html = document.form == DocumentVersion.Form.HTML
    return CardContent(
        token=card.token,
        topic_number=item.topic.number,
        topic_title=topic.title,
        topic_description=topic.description,
        topic_narrative=topic.narrative,
        title=document.title,
        paragraphs=[] if is_html else _paragraphs(document.text, words=f"{topic.title} {topic.description}"),
        html=sanitise.shown(document.text if is_html else ""),
        is_revision=card.revision > 1,
        grade=standing.grade if standing else None,
        comment=standing.comment if standing else "",
        floor_ms=0 if standing else _floor_ms(card, batch, moment),
    )


def standing_judgment(card: Card) -> Judgment | None:
    """The judgment that holds while the card is open again; none for a card not judged yet."""
    if card.revision == 1:
        return None
    return Judgment.objects.filter(assignment=card.assignment_id).order_by("-revision").first()


def _paragraphs(text: str, *, words: str) -> list[list[Segment]]:
    return [highlight(paragraph, words) for paragraph in text.splitlines() if paragraph.strip()]


def _floor_ms(card: Card, batch: Batch, moment: datetime) -> int:
    left = timedelta(seconds=batch.minimum_seconds) - (moment - card.issued_at)
    return max(0, int(left.total_seconds() * 1000))
