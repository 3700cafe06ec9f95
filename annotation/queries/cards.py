"""What a card shows: the texts pinned by its item, with the topic's words found in the document."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Batch, Card, DocumentVersion, Item, Judgment
from annotation.text import sanitise
from annotation.text.highlight import Segment, highlight
from annotation.text.safe import SafeHtml


@dataclass(frozen=True)
class CardContent:
    """A card ready to be rendered. `floor_ms`: what is left of the batch's minimum time; `waited_ms`: how long the card
    has been in front of the person.

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
    evidence_start: int | None
    evidence_end: int | None
    floor_ms: int
    waited_ms: int


def card_contents(cards: Sequence[Card], *, batch: Batch, moment: datetime) -> list[CardContent]:
    """What each of the cards shows, in their order; the texts of all of them by one query."""
    found = Item.objects.filter(pk__in=[card.assignment.item_id for card in cards])
    items = {item.pk: item for item in found.select_related("topic", "topic_version", "document_version")}
    return [_content(card, items[card.assignment.item_id], batch, moment) for card in cards]


def _content(card: Card, item: Item, batch: Batch, moment: datetime) -> CardContent:
    topic, document = item.texts
    standing, waited_ms = standing_judgment(card), _waited_ms(card, moment)
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
        evidence_start=standing.evidence_start if standing else None,
        evidence_end=standing.evidence_end if standing else None,
        floor_ms=0 if standing else max(0, 1000 * batch.minimum_seconds - waited_ms),
        waited_ms=waited_ms,
    )


def standing_judgment(card: Card) -> Judgment | None:
    """The judgment that holds while the card is open again; none for a card not judged yet."""
    if card.revision == 1:
        return None
    return Judgment.objects.filter(assignment=card.assignment_id).order_by("-revision").first()


def _paragraphs(text: str, *, words: str) -> list[list[Segment]]:
    return [highlight(paragraph, words) for paragraph in text.splitlines() if paragraph.strip()]


def _waited_ms(card: Card, moment: datetime) -> int:
    """The minimum time begins when the card is shown; one that is held ahead has all of it before it."""
    return max(0, int((moment - (card.shown_at or moment)).total_seconds() * 1000))
