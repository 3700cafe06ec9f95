"""The tables of the gold pages as CSV files."""

from collections.abc import Iterable
from typing import Any

from annotation.gold.read.current import gold_balance
from annotation.gold.read.supply import BatchSupply, PersonSupply
from annotation.kernel.tables import Column, Kind, Table
from annotation.models import Appeal, Collection
from annotation.review.pages.suspects import Suspect, Witness, shown_suspects
from annotation.review.pages.wear import Worn
from annotation.review.read.appeals import appeals_of
from annotation.review.read.supply import supply_now
from annotation.review.read.suspects import suspects_of

# A gold pair with what people made of it. `accepted`: grades with blanks between; `evidence_against`: log odds.
GOLD: tuple[Column[Worn], ...] = (
    Column("number", lambda worn: worn.event.topic.number, Kind.ID),
    Column("docno", lambda worn: worn.event.document.docno, Kind.ID),
    Column("grade", lambda worn: worn.event.grade or 0, Kind.WHOLE),
    Column("accepted", lambda worn: _blanks_between(worn.event.accepted), Kind.ID),
    Column("seen", lambda worn: worn.n_seen, Kind.WHOLE),
    Column("judged", lambda worn: worn.n_judged, Kind.WHOLE),
    Column("right", lambda worn: worn.n_right, Kind.WHOLE),
    Column("within_one", lambda worn: worn.n_near, Kind.WHOLE),
    Column("evidence_against", lambda worn: worn.evidence, Kind.NUMBER),
    Column("suspect", lambda worn: worn.is_suspect, Kind.YES_NO),
    Column("reason", lambda worn: worn.event.reason),
    Column("explanation", lambda worn: worn.event.explanation),
    Column("set_on", lambda worn: worn.event.created_at.date(), Kind.TIME),
)

# How many gold pairs of a topic have the grade.
BALANCE: tuple[Column[tuple[str, int, int]], ...] = (
    Column("number", lambda row: row[0], Kind.ID),
    Column("grade", lambda row: row[1], Kind.WHOLE),
    Column("pairs", lambda row: row[2], Kind.WHOLE),
)

# With log odds. `good`: people who do well on the other gold; `proposed`: what most of those who missed agree on.
SUSPECTS: tuple[Column[Suspect], ...] = (
    Column("number", lambda suspect: suspect.event.topic.number, Kind.ID),
    Column("docno", lambda suspect: suspect.event.document.docno, Kind.ID),
    Column("grade", lambda suspect: suspect.event.grade or 0, Kind.WHOLE),
    Column("accepted", lambda suspect: _blanks_between(suspect.event.accepted), Kind.ID),
    Column("evidence_against", lambda suspect: suspect.evidence, Kind.NUMBER),
    Column("judged", lambda suspect: suspect.n_judged, Kind.WHOLE),
    Column("missed", lambda suspect: suspect.n_missed, Kind.WHOLE),
    Column("expected_misses", lambda suspect: suspect.expected, Kind.NUMBER),
    Column("good", lambda suspect: suspect.n_good, Kind.WHOLE),
    Column("good_missed", lambda suspect: suspect.n_good_missed, Kind.WHOLE),
    Column("proposed", lambda suspect: suspect.better, Kind.WHOLE),
)

# What somebody gave to a suspect; `accuracy`: on the other gold, drawn towards chance where there is little.
ANSWERS: tuple[Column[tuple[Suspect, Witness]], ...] = (
    Column("number", lambda row: row[0].event.topic.number, Kind.ID),
    Column("docno", lambda row: row[0].event.document.docno, Kind.ID),
    Column("annotator", lambda row: row[1].pseudonym),
    Column("grade", lambda row: row[1].grade, Kind.WHOLE),
    Column("right", lambda row: row[1].is_right, Kind.YES_NO),
    Column("good", lambda row: row[1].is_good, Kind.YES_NO),
    Column("accuracy", lambda row: row[1].accuracy / 100, Kind.NUMBER),
    Column("other_gold", lambda row: row[1].n_other, Kind.WHOLE),
)

# Gold pairs of a person; `missing`: those that would have to be set anew.
SUPPLY: tuple[Column[PersonSupply], ...] = (
    Column("annotator", lambda person: person.pseudonym),
    Column("state", lambda person: person.state),
    Column("wanted", lambda person: person.wanted, Kind.WHOLE),
    Column("judged", lambda person: person.n_judged, Kind.WHOLE),
    Column("to_come", lambda person: person.n_ahead, Kind.WHOLE),
    Column("left", lambda person: person.n_left, Kind.WHOLE),
    Column("missing", lambda person: person.n_missing, Kind.WHOLE),
)

# Of a batch that is not closed; `short`: people who will not have gold enough; `not_in_it`: gold of its topics.
BATCHES: tuple[Column[BatchSupply], ...] = (
    Column("batch", lambda row: row.batch.name),
    Column("people", lambda row: row.n_people, Kind.WHOLE),
    Column("gold_pairs", lambda row: row.n_pairs, Kind.WHOLE),
    Column("cards_to_come", lambda row: row.n_ahead, Kind.WHOLE),
    Column("short", lambda row: row.n_short, Kind.WHOLE),
    Column("not_in_it", lambda row: row.n_new, Kind.WHOLE),
)

# `told_grade`: what the person was told; `answer` and `answered_at` are empty while it is open.
OBJECTIONS: Table[Collection, Appeal] = Table(
    (
        Column("number", lambda appeal: appeal.topic.number, Kind.ID),
        Column("docno", lambda appeal: appeal.document.docno, Kind.ID),
        Column("annotator", lambda appeal: appeal.annotator.pseudonym),
        Column("batch", lambda appeal: appeal.feedback.batch.name),
        Column("told_grade", lambda appeal: appeal.told_grade, Kind.WHOLE),
        Column("reason", lambda appeal: appeal.reason),
        Column("state", lambda appeal: appeal.state),
        Column("answer", lambda appeal: appeal.answer),
        Column("made_at", lambda appeal: appeal.created_at, Kind.TIME),
        Column("answered_at", lambda appeal: appeal.answered_at, Kind.TIME),
    ),
    appeals_of,
)


def _blanks_between(grades: Iterable[int]) -> str:
    return " ".join(map(str, grades))


def _balance(collection: Collection) -> Iterable[tuple[str, int, int]]:
    scale = collection.scale
    if scale is None:
        return ()
    return (
        (topic.number, grade["grade"], n)
        for topic in gold_balance(collection, scale)
        for grade, n in zip(scale.grades, topic.counts, strict=True)
    )


def _suspects(collection: Collection) -> list[Suspect]:
    """Every suspect, the surest first."""
    if collection.scale is None:
        return []
    suspects = suspects_of(collection)
    return shown_suspects(suspects, suspects.ranked, collection.scale)


def _answers(collection: Collection) -> Iterable[tuple[Suspect, Witness]]:
    return ((suspect, witness) for suspect in _suspects(collection) for witness in suspect.witnesses)


GOLD_TABLES: dict[str, Table[Collection, Any]] = {
    "balance": Table(BALANCE, _balance),
    "suspects": Table(SUSPECTS, _suspects),
    "answers": Table(ANSWERS, _answers),
    "supply": Table(SUPPLY, lambda collection: supply_now(collection).people),
    "batches": Table(BATCHES, lambda collection: supply_now(collection).batches),
}
