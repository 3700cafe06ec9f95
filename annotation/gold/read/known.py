"""Gold as those read it who score judgments: what is known of which pair, and which judgments are of such pairs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import OuterRef, Q, QuerySet, Subquery

from annotation.gold.read.current import current_gold
from annotation.models import Collection, GoldEvent, Judgment
from annotation.quality.gold import Gold, gold_pairs
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable

IS_GOLD = Q(last_event=GoldEvent.Action.SET)  # of judgments `with_last_event`

Pair = tuple[str, str]  # topic number, docno


@dataclass(frozen=True)
class KnownGrade:
    """A gold pair's grade, and all grades that count as right there."""

    grade: int
    accepted: frozenset[int]


def known_gold(collection: Collection, criterion: str, scales: Iterable[int]) -> dict[Pair, KnownGrade]:
    """Current gold that was given on these scale versions. One query."""
    held = current_gold(collection, criterion).filter(scale__in=scales).order_by("pk")
    rows = held.values_list("topic__number", "document__docno", "grade", "accepted")
    return {
        (number, docno): KnownGrade(grade or 0, frozenset({*accepted, grade or 0}))
        for number, docno, grade, accepted in rows
    }


def gold_of(table: JudgmentTable, known: Mapping[Pair, KnownGrade], scale: Scale) -> Gold:
    """As arrays; pairs unknown to the table are left out."""
    return gold_pairs(
        table,
        number=[number for number, _ in known],
        docno=[docno for _, docno in known],
        grade=[each.grade for each in known.values()],
        accepted=[each.accepted for each in known.values()],
        scale=scale,
    )


def with_last_event(judgments: QuerySet[Judgment], collection: Collection, criterion: str) -> QuerySet[Judgment]:
    """Each with what was last done to gold of its pair, to be filtered by: one look into an index a judgment."""
    events = GoldEvent.objects.filter(
        collection=collection, topic=OuterRef("topic"), document=OuterRef("document"), criterion=criterion
    )
    return judgments.alias(last_event=Subquery(events.order_by("-pk").values("action")[:1]))
