"""What a card shows: the texts pinned by its item, and what was said of them before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import OuterRef, Subquery

from annotation.judging.read.card_documents import CardDocument, DocumentOptions, card_document
from annotation.models import Batch, Card, ExtraTerms, Item, Judgment, QualificationItem
from annotation.models.prepared import KEY, Blank, Rows

_TEXTS = Rows(
    lambda: (
        Item.objects.filter(pk=Blank("pk", KEY))
        .select_related("topic", "topic_version", "document_version")
        .annotate(
            own_words=Subquery(
                ExtraTerms.objects.filter(annotator=Blank("annotator", KEY), topic=OuterRef("topic")).values("words")[
                    :1
                ]
            )
        )
    )
)


@dataclass(frozen=True)
class CardContent:
    """A card ready to be rendered. `floor_ms`: what is left of the batch's minimum time; `waited_ms`: how long the card
    has been in front of the person. `guideline`: an opaque name of the version that a judgment on it will carry.
    `more`: so many cards of its topic may come after it, at the most; None where that is not known.
    """

    token: str
    topic_number: str
    topic_title: str
    topic_description: str
    topic_narrative: str
    title: str
    document: CardDocument
    is_revision: bool
    grade: int | None
    comment: str
    floor_ms: int
    waited_ms: int
    guideline: str = ""
    more: int | None = None

    @property
    def evidence_start(self) -> int | None:
        return self.document.evidence[0] if self.document.evidence else None

    @property
    def evidence_end(self) -> int | None:
        return self.document.evidence[1] if self.document.evidence else None


def card_contents(
    cards: Sequence[Card], *, batch: Batch, moment: datetime, first_whole: bool = False
) -> list[CardContent]:
    """What each of the cards shows, in their order; one query each.

    With `first_whole` the first one has all of its document, however long it is.
    """
    contents = []
    for n, card in enumerate(cards):
        (item,) = _TEXTS.all(pk=card.assignment.item_id, annotator=card.assignment.annotator_id)
        options = DocumentOptions(vars(item)["own_words"] or [], is_whole=first_whole and n == 0)
        contents.append(_content(card, item, options, batch, moment))
    return contents


def _content(card: Card, item: Item, options: DocumentOptions, batch: Batch, moment: datetime) -> CardContent:
    topic, document = item.texts
    judgment, waited_ms = current_judgment(card), _waited_ms(card, moment)
    return CardContent(
        token=card.token,
        topic_number=item.topic.number,
        topic_title=topic.title,
        topic_description=topic.description,
        topic_narrative=topic.narrative,
        title=document.title,
        document=card_document(topic, document, replace(options, evidence=evidence_of(judgment))),
        is_revision=card.revision > 1,
        grade=judgment.grade if judgment else None,
        comment=judgment.comment if judgment else "",
        floor_ms=0 if judgment else max(0, 1000 * batch.minimum_seconds - waited_ms),
        waited_ms=waited_ms,
    )


def lesson_content(item: QualificationItem) -> CardContent:
    """A pair of a round with its texts, as a card shows it: all of the document is there."""
    topic, document = item.topic_version, item.document_version
    return CardContent(
        token=item.token,
        topic_number=topic.topic.number,
        topic_title=topic.title,
        topic_description=topic.description,
        topic_narrative=topic.narrative,
        title=document.title,
        document=card_document(topic, document, DocumentOptions(is_whole=True)),
        is_revision=False,
        grade=None,
        comment="",
        floor_ms=0,
        waited_ms=0,
    )


def current_judgment(card: Card) -> Judgment | None:
    """The judgment that holds while the card is open again; none for a card not judged yet."""
    if card.revision == 1:
        return None
    return Judgment.objects.filter(assignment=card.assignment_id).order_by("-revision").first()


def evidence_of(judgment: Judgment | None) -> tuple[int, int] | None:
    """The stretch of the document that was named as evidence."""
    if judgment is None or judgment.evidence_start is None or judgment.evidence_end is None:
        return None
    return judgment.evidence_start, judgment.evidence_end


def _waited_ms(card: Card, moment: datetime) -> int:
    """The minimum time begins when the card is shown; one that is held ahead has all of it before it."""
    return max(0, int((moment - (card.shown_at or moment)).total_seconds() * 1000))
