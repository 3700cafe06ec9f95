"""Gold as it stands: the last event of each pair and criterion."""

from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet

from annotation.models import Collection, GoldEvent, ScaleVersion
from annotation.quality.table import CRITERION


def current_gold(
    collection: Collection, criterion: str = CRITERION, *, scale: ScaleVersion | None = None
) -> QuerySet[GoldEvent]:
    """The events that hold: one for each pair that is gold. With `scale`, only gold given on that scale."""
    last = (
        GoldEvent.objects.filter(collection=collection, criterion=criterion)
        .order_by()
        .values("topic", "document")
        .annotate(last=Max("id"))
        .values("last")
    )
    found = GoldEvent.objects.filter(pk__in=last, action=GoldEvent.Action.SET)
    return found.filter(scale=scale) if scale else found


def found_gold(
    collection: Collection, criterion: str = CRITERION, *, words: str = "", grade: int | None = None
) -> QuerySet[GoldEvent]:
    """Current gold whose topic number, docno, reason or explanation holds every word, in the order of topics."""
    found = current_gold(collection, criterion).select_related("topic", "document", "created_by", "scale")
    for word in words.split():
        in_ids = Q(topic__number__icontains=word) | Q(document__docno__icontains=word)
        found = found.filter(in_ids | Q(reason__icontains=word) | Q(explanation__icontains=word))
    if grade is not None:
        found = found.filter(grade=grade)
    return found.order_by("topic_id", "grade", "document__docno")


def gold_as_entered(
    collection: Collection, number: str, docno: str, *, grade: str = "", accept: str = ""
) -> dict[str, object]:
    """A pair, with all that was said of it where it is gold now, to be corrected.

    `grade`: what it shall be instead; `accept`: a grade that shall count besides. What is no number is passed over.
    """
    pair: dict[str, object] = {"number": number, "docno": docno}
    held = current_gold(collection).filter(topic__number=number, document__docno=docno).first()
    if held is None:
        return pair
    said: dict[str, object] = {"grade": held.grade, "reason": held.reason, "explanation": held.explanation}
    if grade.isdecimal():
        said |= {"grade": int(grade), "explanation": ""}
    also = {*held.accepted, int(accept)} if accept.isdecimal() else {*held.accepted}
    return {**pair, **said, "accepted": sorted(also - {held.grade, said["grade"]})}


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
