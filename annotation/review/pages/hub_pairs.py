"""The list of pairs on the page of a topic or of a document."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from annotation.kernel.list_columns import numbers
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.tables import Cell, Kind, Shown
from annotation.models import Document, Topic
from annotation.review.pages.hubs import Hub, grade_key
from annotation.review.read.judged_pairs import HubJudgment, JudgedPair

NAMED = 8  # people whose grades stand in a row of the table

Titles = Callable[[Sequence[str]], dict[str, str]]


@dataclass(frozen=True)
class PairRow:
    """`name`: what the pair has besides the page's own, a docno or the number of a topic; `title`: of it."""

    pair: JudgedPair
    name: str
    title: str = ""

    @property
    def grade_key(self) -> str:
        return grade_key(self.pair)

    @property
    def by_grade(self) -> list[tuple[int | None, list[HubJudgment]]]:
        """Who gave which grade, the first so many people."""
        return by_grade(self.pair.judgments, NAMED)

    @property
    def n_more(self) -> int:
        return len(self.pair.judgments[NAMED:])

    @property
    def people_by_grade(self) -> str:
        return "; ".join(_grade_and_people(grade, people) for grade, people in by_grade(self.pair.judgments))


def pairs_of(hub: Hub, of: Literal["topic", "document"]) -> list[PairRow]:
    return [PairRow(pair, pair.docno if of == "topic" else pair.number) for pair in hub.ordered]


def hub_pair_list(
    subject: Topic | Document, hub: Hub, of: Literal["topic", "document"], titles: Titles, *, may_decide: bool
) -> Listing[PairRow]:
    """Of `pairs_of`; `titles` are asked for a page alone."""

    def titled(rows: Iterable[PairRow]) -> list[PairRow]:
        title_of = titles([row.name for row in rows])
        return [replace(row, title=title_of.get(row.name, "")) for row in rows]

    name, head = ("docno", "Document") if of == "topic" else ("number", "Topic")
    return Listing(
        "Pairs",
        (
            Listed(
                name,
                lambda row: row.name,
                Kind.ID,
                by=name,
                look="wide",
                shown=Shown(head, is_numeric=False),
                part=f"annotation/review/hub_{of}_pair.html",
            ),
            _grades(),
            Listed(
                "steps",
                lambda row: row.pair.steps,
                Kind.WHOLE,
                by="steps",
                shown=Shown("Apart", meaning="steps from the lowest to the highest of these grades"),
            ),
            numbers("Judgments", "judgments", lambda row: len(row.pair.judgments), by="judgments"),
            Listed("gold", lambda row: row.pair.gold, Kind.WHOLE, is_folded=True, by="gold", shown=Shown("Gold")),
            Listed(
                "said",
                lambda row: row.people_by_grade,
                look="small said",
                shown=Shown("Who gave which grade", is_numeric=False),
                part="annotation/review/hub_said.html",
            ),
        ),
        search=("name",),
        hint=head,
        filters=(
            Only("grade", "Grade", "grade_key", [(each.key, f"{each.name}: {each.n:,}") for each in hub.by_grade]),
        ),
        to_rows=titled,
        nothing="No pair is like that.",
        deeds="annotation/review/hub_pair_deeds.html" if may_decide else "",
        deeds_named="Pair",
        heading_id="pairs",
        file=f"{of} {subject}",
    )


def _grades() -> Listed[PairRow]:
    shown = Shown[PairRow](
        "Grade",
        _grade,
        meaning="the last word where somebody decided; else the median of the grades that may count, rounded down. "
        "A policy may count fewer: what is frozen stands in the snapshots",
    )
    return Listed("grade", lambda row: row.pair.grade, Kind.WHOLE, by="grade", shown=shown)


def by_grade(judgments: Iterable[HubJudgment], most: int | None = None) -> list[tuple[int | None, list[HubJudgment]]]:
    """The highest grade first, so many people at most; None where grades are not shown."""
    ordered = sorted(judgments, key=lambda each: -1 if each.grade is None else each.grade, reverse=True)[:most]
    return [(grade, list(people)) for grade, people in groupby(ordered, key=lambda each: each.grade)]


def _grade_and_people(grade: int | None, people: Iterable[HubJudgment]) -> str:
    names = ", ".join(f"{each.pseudonym} ({each.aside})" if each.aside else each.pseudonym for each in people)
    return names if grade is None else f"{grade}: {names}"


def _grade(row: PairRow) -> Cell:
    return Cell("–") if row.pair.grade is None else Cell(str(row.pair.grade), strong=True)
