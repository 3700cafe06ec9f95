"""Gold as it stands, the last event of each pair and criterion; and a change of it that somebody has in mind."""

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.models import Collection, Document, GoldEvent, ScaleVersion, Snapshot, Topic
from annotation.quality.purpose import CRITERION

LISTED, UNLISTED = "Listed in", "Not listed in"  # and the name of imported qrels: the reason of gold taken from them


def current_gold(
    collection: Collection,
    criterion: str = CRITERION,
    *,
    scale: ScaleVersion | None = None,
    until: datetime | None = None,
    of: Mapping[str, object] | None = None,
) -> QuerySet[GoldEvent]:
    """The events that hold, or held then (`until`): one for each pair that is gold. With `scale`, only gold given on
    that scale. `of`: of a topic, a document or a pair alone, by their columns."""
    events = GoldEvent.objects.filter(collection=collection, criterion=criterion)
    if until is not None:
        events = events.filter(created_at__lte=until)
    later = events.filter(topic=OuterRef("topic"), document=OuterRef("document"), pk__gt=OuterRef("pk"))
    current = events.filter(~Exists(later), action=GoldEvent.Action.SET, **(of or {}))
    return current.filter(scale=scale) if scale else current


def gold_rows(
    collection: Collection, criterion: str = CRITERION, *, words: str = "", grade: int | None = None
) -> QuerySet[GoldEvent]:
    """Current gold whose topic number, docno, reason or explanation holds every word, in the order of topics."""
    events = current_gold(collection, criterion).select_related("topic", "document", "created_by", "scale")
    for word in words.split():
        in_ids = Q(topic__number__icontains=word) | Q(document__docno__icontains=word)
        events = events.filter(in_ids | Q(reason__icontains=word) | Q(explanation__icontains=word))
    if grade is not None:
        events = events.filter(grade=grade)
    return events.order_by("topic_id", "grade", "document__docno")


def gold_by_qrels(
    collection: Collection, criterion: str, pairs: Container[tuple[str, str]], *, until: datetime
) -> list[tuple[Snapshot, int]]:
    """The imported qrels that gold of these pairs was taken from then, and how many from each. Two queries."""
    imported = Snapshot.objects.filter(collection=collection, origin=Snapshot.Origin.IMPORTED).order_by("pk")
    by_reason = {
        f"{how} {qrels}": qrels for qrels in imported.select_related("brought_by") for how in (LISTED, UNLISTED)
    }
    events = current_gold(collection, criterion, until=until).filter(reason__in=by_reason)
    rows = events.values_list("topic__number", "document__docno", "reason")
    counts = Counter(by_reason[reason] for number, docno, reason in rows if (number, docno) in pairs)
    return sorted(counts.items(), key=lambda each: each[0].pk)


def gold_as_entered(
    collection: Collection, number: str, docno: str, *, grade: str = "", accept: str = ""
) -> dict[str, object]:
    """The values of a form that corrects a pair: its number and docno, and its gold where it has any.

    `grade`: what it shall be instead; `accept`: a grade that shall count besides. What is no number is passed over.
    """
    pair: dict[str, object] = {"number": number, "docno": docno}
    event = current_gold(collection, of={"topic__number": number, "document__docno": docno}).first()
    if event is None:
        return pair
    entry: dict[str, object] = {"grade": event.grade, "reason": event.reason, "explanation": event.explanation}
    if grade.isdecimal():
        entry |= {"grade": int(grade), "explanation": ""}
    accepted = {*event.accepted, int(accept)} if accept.isdecimal() else {*event.accepted}
    return {**pair, **entry, "accepted": sorted(accepted - {event.grade, entry["grade"]})}


@dataclass(frozen=True)
class TopicGold:
    """How much gold a topic has of each grade of the scale."""

    number: str
    counts: list[int]

    @property
    def total(self) -> int:
        return sum(self.counts)


def gold_balance(collection: Collection, scale: ScaleVersion, *, criterion: str = CRITERION) -> list[TopicGold]:
    """Topics that have gold, in their order, with counts per grade. One query."""
    rows = (
        current_gold(collection, criterion)
        .order_by("topic_id", "grade")
        .values_list("topic_id", "topic__number", "grade")
        .annotate(n=Count("id"))
    )
    topics: dict[int, TopicGold] = {}
    for topic, number, grade, n in rows:
        counts = topics.setdefault(topic, TopicGold(number, [0] * len(scale.grades))).counts
        if grade is not None and scale.bottom <= grade <= scale.top:
            counts[grade - scale.bottom] += n
    return list(topics.values())


def pair_in_words(topic: Topic, document: Document) -> str:
    """For the middle of a sentence, and for the audit log."""
    return f"topic {topic.number}, document {document.docno}"


@dataclass(frozen=True)
class GoldChange:
    """What a pair is to be: gold of `grade`, with other `accepted` grades besides; or no gold, where that is None."""

    topic: Topic
    document: Document
    grade: int | None
    accepted: tuple[int, ...] = ()
    reason: str = ""
    explanation: str = ""

    @property
    def words(self) -> str:
        what = "withdrawn" if self.grade is None else f"set to {self.grade}"
        also = [str(grade) for grade in self.accepted if grade != self.grade]
        more = f" ({', '.join(also)} accepted besides)" if also and self.grade is not None else ""
        return f"{pair_in_words(self.topic, self.document)}: {what}{more}"
