"""The tables of the gold pages as lines that leave."""

from collections.abc import Callable, Sequence

from annotation.formats.gold_tables import AnswerLine, BalanceLine, BatchLine, GoldPageLine, SupplyLine, SuspectLine
from annotation.gold.read import Supply, gold_balance, judged_gold, supply_of
from annotation.models import Collection
from annotation.review.read.suspects import Suspect, suspects_of
from annotation.trust.read import default_parameters

Lines = Callable[[Collection], Sequence[GoldPageLine]]


def gold_page_lines(table: str, collection: Collection) -> tuple[type[GoldPageLine], Sequence[GoldPageLine]]:
    """Their kind and the lines. Raises `KeyError` for a table that there is not."""
    kind, lines = GOLD_TABLES[table]
    return kind, lines(collection)


def supply_now(collection: Collection) -> Supply:
    """Under the default policy: its number of gold judgments makes somebody proven."""
    return supply_of(collection, judged_gold(collection), wanted=default_parameters(collection).min_gold)


def _balance(collection: Collection) -> Sequence[GoldPageLine]:
    scale = collection.scale
    if scale is None:
        return []
    return [
        BalanceLine(topic.number, each["grade"], n)
        for topic in gold_balance(collection, scale)
        for each, n in zip(scale.grades, topic.counts, strict=True)
    ]


def _shown(collection: Collection) -> list[tuple[Suspect, float]]:
    """Every suspect with its log odds, the surest first."""
    if collection.scale is None:
        return []
    found = suspects_of(collection)
    place = found.judged.places()
    odds = found.suspicion.evidence
    return [
        (each, float(odds[place[each.event.topic.number, each.event.document.docno]]))
        for each in found.shown(found.ranked, collection.scale)
    ]


def _suspects(collection: Collection) -> Sequence[GoldPageLine]:
    return [
        SuspectLine(
            number=each.event.topic.number,
            docno=each.event.document.docno,
            grade=each.event.grade or 0,
            accepted=" ".join(map(str, each.event.accepted)),
            evidence_against=odds,
            judged=each.n_judged,
            missed=each.n_missed,
            expected_misses=each.expected,
            good=each.n_good,
            good_missed=each.n_good_missed,
            proposed=each.better,
        )
        for each, odds in _shown(collection)
    ]


def _answers(collection: Collection) -> Sequence[GoldPageLine]:
    return [
        AnswerLine(
            number=each.event.topic.number,
            docno=each.event.document.docno,
            annotator=witness.pseudonym,
            grade=witness.grade,
            right=witness.is_right,
            good=witness.is_good,
            accuracy=witness.accuracy / 100,
            other_gold=witness.n_other,
        )
        for each, _ in _shown(collection)
        for witness in each.witnesses
    ]


def _supply(collection: Collection) -> Sequence[GoldPageLine]:
    return [
        SupplyLine(each.pseudonym, each.state, each.wanted, each.n_judged, each.n_ahead, each.n_left, each.n_missing)
        for each in supply_now(collection).people
    ]


def _batches(collection: Collection) -> Sequence[GoldPageLine]:
    return [
        BatchLine(each.batch.name, each.n_people, each.n_pairs, each.n_ahead, each.n_short, each.n_new)
        for each in supply_now(collection).batches
    ]


GOLD_TABLES: dict[str, tuple[type[GoldPageLine], Lines]] = {
    "balance": (BalanceLine, _balance),
    "suspects": (SuspectLine, _suspects),
    "answers": (AnswerLine, _answers),
    "supply": (SupplyLine, _supply),
    "batches": (BatchLine, _batches),
}
