"""The list of gold pairs, with what people made of each."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotation.gold.read.current import gold_rows
from annotation.kernel.forms import named_grades
from annotation.kernel.list_columns import listed, texts
from annotation.kernel.listed_rows import Rows
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.page_tables import UNKNOWN
from annotation.kernel.tables import Cell, Column, Shown
from annotation.models import Collection, GoldEvent, ScaleVersion
from annotation.review.pages.gold_figures import GoldFigures
from annotation.review.pages.gold_tables import GOLD
from annotation.review.pages.wear import Worn, worn_gold

WEAR = ("seen", "judged", "right", "within_one", "evidence_against")  # what no column of the database says


def listed_gold(
    collection: Collection, scale: ScaleVersion, figures: GoldFigures, query: QueryDict, *, may_change: bool
) -> tuple[Listing[Worn], Rows]:
    """The list, and its rows: all gold in its order by keys, while gold is what the figures say, so that none but those
    of a page are read; else of the database; all of them in memory where they are sorted by what became of them."""
    worn = partial(worn_gold, collection, wear=figures.wear)
    if query.get("sort", "").lstrip("-") in WEAR:
        return _gold_list(collection, scale, list, may_change=may_change), worn(gold_rows(collection))
    if _is_all(query) and not GoldEvent.objects.filter(collection=collection, pk__gt=figures.last).exists():
        to_rows = partial(_by_key, worn)
        return _gold_list(collection, scale, to_rows, may_change=may_change), figures.wear.event.tolist()
    return _gold_list(collection, scale, worn, may_change=may_change), gold_rows(collection)


def _is_all(query: QueryDict) -> bool:
    """Whether it asks for all gold, in its own order."""
    return not any(query.get(name) for name in ("q", "grade", "sort"))


def _by_key(to_rows: Callable[[Sequence[GoldEvent]], Sequence[Worn]], keys: Sequence[int]) -> Sequence[Worn]:
    related = GoldEvent.objects.select_related("topic", "document", "created_by", "scale")
    event_by_key = related.in_bulk(keys)
    return to_rows([event_by_key[key] for key in keys])


def _gold_list(
    collection: Collection,
    scale: ScaleVersion,
    to_rows: Callable[[Sequence[Any]], Sequence[Worn]],
    *,
    may_change: bool,
) -> Listing[Worn]:
    return Listing(
        "Gold",
        tuple(_columns(collection)),
        search=("topic__number", "document__docno", "reason", "explanation"),
        hint="Topic, docno or text",
        filters=(Only("grade", "Grade", "grade", [(str(grade), name) for grade, name in named_grades(scale)]),),
        to_rows=to_rows,
        nothing="No gold pair has these words and this grade.",
        deeds="annotation/review/gold_deeds.html" if may_change else "",
        deeds_named="Change",
        look="worn",
        heading_id="pairs",
    )


def _columns(collection: Collection) -> list[Listed[Worn]]:
    def topic(worn: Worn) -> Cell:
        return Cell(worn.topic.number, address=reverse("topic", args=[collection.slug, worn.topic.number]))

    def document(worn: Worn) -> Cell:
        return Cell(worn.document.docno, address=reverse("document", args=[collection.slug, worn.document.docno]))

    of = {column.name: column for column in GOLD}
    return [
        listed(of["number"], by="topic_id", look="fit code", shown=Shown("Topic", topic, is_numeric=False)),
        listed(of["docno"], by="document__docno", look="docno", shown=Shown("Docno", document, is_numeric=False)),
        listed(of["grade"], by="grade", shown=Shown("Grade")),
        listed(of["accepted"], shown=Shown("Accepted", _accepted, is_numeric=False, is_narrow=True)),
        *_of_wear(of),
        texts("Reason", "reason", lambda worn: worn.reason, look="wide"),
        texts("Explanation", "explanation", lambda worn: worn.explanation, is_folded=True, look="wide"),
        texts("By", "by", _by, by="created_by__username", is_folded=True, is_narrow=True),
        listed(
            of["set_on"], by="created_at", is_folded=True, shown=Shown("On", _day, is_numeric=False, is_narrow=True)
        ),
    ]


def _of_wear(of: Mapping[str, Column[Worn]]) -> list[Listed[Worn]]:
    """What became of a pair."""
    return [
        listed(of["seen"], by="seen", shown=Shown("Seen", meaning="people to whom the pair was handed")),
        listed(
            of["judged"],
            by="judged",
            shown=Shown("Judged", meaning="people whose judgment of it counts for accuracy"),
        ),
        listed(
            of["right"],
            by="right",
            get=lambda worn: worn.n_right if worn.n_judged else None,
            order=lambda worn: (worn.right_percent, -worn.n_judged),
            part="annotation/review/gold_right.html",
            shown=Shown(
                "Right",
                lambda worn: _share(worn.right_percent, worn.n_right),
                meaning="share of these in the accepted set, and how many",
            ),
        ),
        listed(
            of["within_one"],
            by="within_one",
            get=lambda worn: worn.n_near if worn.n_judged else None,
            order=lambda worn: (worn.near_percent, -worn.n_judged),
            is_folded=True,
            shown=Shown(
                "Within one",
                lambda worn: _share(worn.near_percent, worn.n_near),
                meaning="share of these at most a step from it, and how many",
            ),
        ),
        listed(
            of["evidence_against"],
            by="evidence_against",
            get=lambda worn: worn.evidence if worn.n_judged else None,
            is_folded=True,
            shown=Shown(
                "Odds against",
                lambda worn: Cell(worn.odds if worn.n_judged else UNKNOWN),
                meaning="how much likelier its judgments are if the gold is wrong than if it is right",
            ),
        ),
    ]


def _by(worn: Worn) -> str:
    return worn.event.created_by.username if worn.event.created_by else ""


def _day(worn: Worn) -> Cell:
    return Cell(date_format(localtime(worn.event.created_at), "j M Y"))


def _accepted(worn: Worn) -> Cell:
    return Cell(", ".join(map(str, worn.event.accepted)))


def _share(percent: int | None, n: int) -> Cell:
    return Cell(UNKNOWN) if percent is None else Cell(f"{percent} %", note=str(n))
