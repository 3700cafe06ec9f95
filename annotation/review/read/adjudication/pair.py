"""All that is known about one pair, for whoever has the last word on it."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.judging.read.card_documents import text_of
from annotation.judging.read.cards import evidence_of
from annotation.judging.read.pauses import current_exclusions
from annotation.kernel.visible import visible_judgments
from annotation.models import Adjudication, Assignment, DocumentVersion, Item, Judgment
from annotation.text.quote import quoted


@dataclass(frozen=True)
class PairJudgment:
    """A judgment, and what of the text that was judged its person named as `evidence`.

    The quotation is empty where that text is not here. `is_other`: it is of another version than the pair is shown in.
    `is_excluded`: nothing that the person judged counts now.
    """

    judgment: Judgment
    evidence: tuple[int, int] | None
    quote: str
    is_other: bool
    is_excluded: bool


@dataclass(frozen=True)
class PairFile:
    """`judgments`: the last revision of each person's meeting with the pair. `skips`: who did not judge it, and why."""

    judgments: list[PairJudgment]
    skips: list[Assignment]
    decisions: list[Adjudication]


def pair_file(item: Item, criterion: str = "relevance") -> PairFile:
    """Whatever was ever said about the item's pair, in any batch. Five queries."""
    pair = {"topic": item.topic_id, "document": item.document_id}
    judgments = visible_judgments(item.collection).filter(**pair, criterion=criterion).order_by("revision")
    related = judgments.select_related("annotator", "batch", "assignment", "item")
    last = {judgment.assignment_id: judgment for judgment in related}
    skips = Assignment.objects.filter(
        state=Assignment.State.SKIPPED, item__topic=item.topic_id, item__document=item.document_id
    )
    ordered = sorted(last.values(), key=lambda judgment: (judgment.annotator.pseudonym, judgment.pk))
    return PairFile(
        judgments=_with_evidence(item, ordered),
        skips=list(skips.select_related("annotator").order_by("pk")),
        decisions=list(decisions_of(item, criterion)),
    )


def _with_evidence(item: Item, judgments: Iterable[Judgment]) -> list[PairJudgment]:
    rows = [(judgment, evidence_of(judgment)) for judgment in judgments]
    version_ids = {judgment.item.document_version_id for judgment, evidence in rows if evidence}
    versions = DocumentVersion.objects.filter(pk__in=[version for version in version_ids if version is not None])
    excluded = current_exclusions(item.collection)
    texts: dict[int | None, str] = {version.pk: text_of(version) for version in versions}
    return [
        PairJudgment(
            judgment,
            evidence,
            quoted(texts.get(judgment.item.document_version_id, ""), *evidence) if evidence else "",
            evidence is not None and judgment.item.document_version_id != item.document_version_id,
            judgment.annotator.pseudonym in excluded,
        )
        for judgment, evidence in rows
    ]


def decisions_of(item: Item, criterion: str) -> QuerySet[Adjudication]:
    """The newest first: that one holds."""
    decisions = Adjudication.objects.filter(
        collection=item.collection_id, topic=item.topic_id, document=item.document_id, criterion=criterion
    )
    return decisions.select_related("created_by", "scale").order_by("-pk")
