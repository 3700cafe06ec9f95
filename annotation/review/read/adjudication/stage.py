"""Where an adjudicator stands with a pair, and what of it their page may show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.gold.read.current import current_gold
from annotation.judging.read.card_documents import CardDocument, DocumentOptions, card_document
from annotation.kernel.visible import laid_out
from annotation.models import Adjudication, AdjudicationReading, Item, Judgment, Knew, Planting, TopicVersion, User
from annotation.review.read.adjudication.pair import PairJudgment, decisions_of

State = AdjudicationReading.State


@dataclass(frozen=True)
class PairState:
    """`reading`: the person's own that no decision has ended. `seen`: what people said was shown to them before.
    `holder`: the reading of somebody else who has the pair now. `decisions`: the newest first."""

    reading: AdjudicationReading | None
    holder: AdjudicationReading | None
    seen: bool
    decisions: list[Adjudication]
    is_check: bool

    @property
    def decided(self) -> Adjudication | None:
        """The decision that holds."""
        last = self.decisions[0] if self.decisions else None
        return last if last and last.action == Adjudication.Action.DECIDE else None

    @property
    def is_open(self) -> bool:
        return self.reading is not None and self.reading.state == State.OPEN

    @property
    def stage(self) -> str:
        """`blind`: grade it first; `decide`: what people said is shown; `decided`: and it holds; `held`: by another."""
        if self.decided and self.seen and not self.is_open:
            return "decided"
        if self.holder and not self.seen:
            return "held"
        return "decide" if self.seen else "blind"


@dataclass(frozen=True)
class PairCard:
    """A pair as an annotator would see it. `document` is None where its text is not here."""

    topic_number: str
    topic_title: str
    topic_description: str
    topic_narrative: str
    title: str
    document: CardDocument | None
    has_topic: bool
    is_whole: bool


def pair_state(item: Item, person: User, *, moment: datetime, criterion: str = "relevance") -> PairState:
    """Four queries."""
    decisions = list(decisions_of(item, criterion))
    readings = AdjudicationReading.objects.filter(topic=item.topic_id, document=item.document_id, criterion=criterion)
    own = list(readings.filter(reader=person).order_by("pk"))
    others = readings.filter(state=State.OPEN, held_until__gt=moment).exclude(reader=person).select_related("reader")
    seen = any(reading.seen_at for reading in own) or any(each.created_by_id == person.pk for each in decisions)
    undecided = [reading for reading in own if reading.state != State.DECIDED]
    planted = Planting.objects.filter(
        laid_out("item__batch__"), item__topic=item.topic_id, item__document=item.document_id
    )
    is_check = planted.filter(purpose=Planting.Purpose.CHECK).exists()
    return PairState(undecided[-1] if undecided else None, others.first(), seen, decisions, is_check)


def prior_knowledge(item: Item, person: User, criterion: str = "relevance") -> Knew:
    """What the person knows of the pair that keeps them from being blind. Three queries at most."""
    pair = {"topic": item.topic_id, "document": item.document_id, "criterion": criterion}
    if Judgment.objects.filter(annotator__user=person, **pair).exists():
        return Knew.JUDGED
    seen = AdjudicationReading.objects.filter(reader=person, seen_at__isnull=False, **pair).exists()
    if seen or Adjudication.objects.filter(created_by=person, **pair).exists():
        return Knew.SEEN
    gold = current_gold(item.collection, criterion, of={"topic": item.topic_id, "document": item.document_id})
    return Knew.GOLD if gold.exists() else Knew.NOTHING


def shown_document(item: Item, *, whole: bool | None, judgments: Sequence[PairJudgment] = ()) -> PairCard:
    """The texts of the pair, with the evidence that people named in this version of the document.

    `whole`: all of it, or the best passage alone; None: all where somebody's evidence is not in that passage.
    """
    topic, document = item.topic_version, item.document_version
    spans = [each.evidence for each in judgments if each.evidence and not each.is_other]
    options = DocumentOptions(is_whole=bool(whole), others=spans)
    text = card_document(topic or TopicVersion(), document, options) if document else None
    if whole is None and text and any(start < text.start or end > text.end for start, end in spans):
        return shown_document(item, whole=True, judgments=judgments)
    return PairCard(
        topic_number=item.topic.number,
        topic_title=topic.title if topic else item.topic.number,
        topic_description=topic.description if topic else "",
        topic_narrative=topic.narrative if topic else "",
        title=document.title if document else item.document.docno,
        document=text,
        has_topic=topic is not None,
        is_whole=bool(whole),
    )
