"""All that is known about one pair, for whoever has the last word on it."""

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Adjudication, Assignment, Item, Judgment, Planting
from annotation.queries.visible import visible_judgments


@dataclass(frozen=True)
class PairFile:
    """`judgments`: the last revision of each person's meeting with the pair. `skips`: who did not judge it, and why."""

    judgments: list[Judgment]
    skips: list[Assignment]
    decisions: list[Adjudication]
    is_check: bool


def pair_file(item: Item, criterion: str = "relevance") -> PairFile:
    """Whatever was ever said about the item's pair, in any batch. Four queries."""
    said = visible_judgments(item.collection).filter(topic=item.topic_id, document=item.document_id)
    judgments = said.filter(criterion=criterion).select_related("annotator", "batch", "assignment")
    last = {judgment.assignment_id: judgment for judgment in judgments.order_by("revision")}
    skips = Assignment.objects.filter(
        state=Assignment.State.SKIPPED, item__topic=item.topic_id, item__document=item.document_id
    )
    planted = Planting.objects.filter(item__topic=item.topic_id, item__document=item.document_id)
    return PairFile(
        judgments=sorted(last.values(), key=lambda judgment: (judgment.annotator.pseudonym, judgment.pk)),
        skips=list(skips.select_related("annotator").order_by("pk")),
        decisions=list(decisions_of(item, criterion)),
        is_check=planted.filter(purpose=Planting.Purpose.CHECK).exists(),
    )


def decisions_of(item: Item, criterion: str) -> QuerySet[Adjudication]:
    """The newest first: that one holds."""
    decided = Adjudication.objects.filter(
        collection=item.collection_id, topic=item.topic_id, document=item.document_id, criterion=criterion
    )
    return decided.select_related("created_by", "scale").order_by("-pk")
