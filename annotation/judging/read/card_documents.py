"""The document of a card, as its page shows it: the best passage first, with the words to look for marked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.models import Card, DocumentVersion, ExtraTerms, Participation, TopicVersion
from annotation.text.chunks import LONG
from annotation.text.direction import direction
from annotation.text.excerpt import SHORT, excerpt
from annotation.text.highlight import marks
from annotation.text.paragraphs import shape_of_text
from annotation.text.safe import SafeHtml
from annotation.text.sanitise import shown
from annotation.text.shape import Shape, shape_of_html, text_of_html
from annotation.text.terms import DESCRIPTION, find, own_terms, topic_worths
from annotation.text.writing import Seen, written

Span = tuple[int, int]


@dataclass(frozen=True)
class CardDocument:
    """A document ready to be rendered. Offsets are counted in characters of its text, which has `length` of them.

    `html` and `text` have it from `first` to `last`: all of it, or the excerpt alone where it `is_long`. The excerpt is
    from `start` to `end`. `words`: those that the reader added for this topic. `evidence`: what they named before.
    """

    title: str
    html: SafeHtml
    text: str
    direction: str
    is_html: bool
    is_blank: bool
    length: int
    start: int
    end: int
    first: int
    last: int
    words: Sequence[str]
    evidence: Span | None

    @property
    def is_long(self) -> bool:
        return (self.first, self.last) != (0, self.length)

    @property
    def has_excerpt(self) -> bool:
        return self.length > SHORT

    @property
    def n_shown(self) -> int:
        return self.end - self.start

    @property
    def after(self) -> int:
        return self.length - self.end


@dataclass(frozen=True)
class DocumentOptions:
    """How a person sees a document: with their own `words` marked, and their evidence, or that of `others`; and, if
    `is_whole`, with all of its text, however long it is.
    """

    words: Sequence[str] = ()
    is_whole: bool = False
    evidence: Span | None = None
    others: Sequence[Span] = ()


def card_document(topic: TopicVersion, document: DocumentVersion, options: DocumentOptions) -> CardDocument:
    """What the page of a card shows of the document."""
    shape = _shape(document)
    length = len(shape.text)
    worths, own = topic_worths(topic.title, topic.description, topic.narrative), own_terms(options.words)
    hits = find(shape.text, shape.blocks, worths.keys() | own)
    start, end = excerpt(shape.text, shape.blocks, hits, worths) if length > SHORT else (0, length)
    alone = length > LONG and not options.is_whole
    near = [hit for hit in hits if start <= hit.start < end] if alone else hits
    marked = {term for term, worth in worths.items() if worth >= DESCRIPTION}
    seen = Seen((start, end), alone, marks(shape.text, near, topic=marked, own=own), _evidence(options))
    first, last = (start, end) if alone else (0, length)
    return CardDocument(
        title=document.title,
        html=written(shape, seen),
        text=shape.text[first:last],
        direction=direction(shape.shown[first:last]),
        is_html=document.form == DocumentVersion.Form.HTML,
        is_blank=not shape.text.strip(),
        length=length,
        start=start,
        end=end,
        first=first,
        last=last,
        words=options.words,
        evidence=options.evidence,
    )


def card_of(participation: Participation, token: str) -> Card:
    """The person's card with this token, with its texts. Raises `Card.DoesNotExist` for another's."""
    return Card.objects.select_related(
        "assignment__item__topic", "assignment__item__topic_version", "assignment__item__document_version"
    ).get(token=token, assignment__batch=participation.batch_id, assignment__annotator=participation.annotator_id)


def document_of(card: Card, *, whole: bool) -> CardDocument:
    """The document of a card that `card_of` gave."""
    item = card.assignment.item
    words = words_by_topic(card.assignment.annotator_id, [item.topic_id]).get(item.topic_id, [])
    return card_document(*item.texts, DocumentOptions(words, is_whole=whole))


def evidence_fits(participation: Participation, token: str, end: int | None) -> bool:
    """Whether the evidence ends within the document of the person's card. Without evidence, no query."""
    if end is None:
        return True
    _, document = card_of(participation, token).assignment.item.texts
    return end <= len(text_of(document))


def text_of(document: DocumentVersion) -> str:
    """The text in which the offsets of evidence are counted: of an HTML document, without its markup."""
    is_html = document.form == DocumentVersion.Form.HTML
    return text_of_html(shown(document.text)) if is_html else document.text


def words_by_topic(annotator: int, topics: Iterable[int]) -> dict[int, list[str]]:
    """The words that the person added for each of the topics; ids of annotator and topics. One query."""
    terms = ExtraTerms.objects.filter(annotator=annotator, topic__in=topics)
    return dict(terms.values_list("topic", "words"))


def _evidence(options: DocumentOptions) -> list[Span]:
    """All evidence in order. Spans that overlap or touch become one."""
    apart: list[Span] = []
    for start, end in sorted([*options.others, *([options.evidence] if options.evidence else [])]):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(apart[-1][1], end))
        else:
            apart.append((start, end))
    return apart


def _shape(document: DocumentVersion) -> Shape:
    if document.form == DocumentVersion.Form.HTML:
        return shape_of_html(shown(document.text))
    return shape_of_text(document.text)
