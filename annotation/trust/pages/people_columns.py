"""The table of annotators: its columns for the page, the CSV file and the API."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.template.defaultfilters import floatformat

from annotation.kernel.list_columns import listed
from annotation.kernel.listing import Listing, Only, Ticks
from annotation.kernel.page_tables import UNKNOWN, format_value, shown_columns, sorted_rows
from annotation.kernel.tables import Cell, Column, Kind, Shown, Table
from annotation.quality.annotators.expected_agreement import LEAST
from annotation.quality.standing import STANDINGS
from annotation.text.counted import percent, with_sign
from annotation.trust.pages.people import PersonRow


def sorted_people(people: Sequence[PersonRow], sort: str) -> list[PersonRow]:
    """By a column, descending with `-` in front; by pseudonym among equals and for columns that are none."""
    by_name = sorted(people, key=lambda person: person.pseudonym, reverse=sort == "-name")
    return sorted_rows(COLUMNS, by_name, sort)


def annotator_list(people: Sequence[PersonRow], *, may_change: bool) -> Listing[PersonRow]:
    """Of `sorted_people`. Of the columns those that have something to show; the rest is folded but those that tell most
    and fit beside each other. `may_change`: pause, exclude and bring back."""
    shown = shown_columns(COLUMNS, ON_PAGE, people)
    pseudonym = listed(
        COLUMNS[0], sort="name", shown=Shown("Pseudonym", is_numeric=False), part="annotation/trust/quality_person.html"
    )
    return Listing(
        "Annotators",
        (pseudonym, *(listed(each, is_folded=each.name not in FIT, **_DRAWN.get(each.name, {})) for each in shown)),
        search=("pseudonym",),
        hint="Pseudonym",
        filters=(Only("standing", "Standing", "standing", [(each, each) for each in STANDINGS.values()]),),
        kept_parameters=("batch", "policy"),
        ticks=Ticks(
            "together",
            "names",
            value=lambda person: person.pseudonym,
            named=lambda person: person.pseudonym,
            may=lambda person: not person.exclusion,
        )
        if may_change
        else None,
        deeds="annotation/trust/quality_person_deeds.html" if may_change else "",
        deeds_named="Exclude, pause or bring back",
        is_out=lambda person: not person.believed,
        pages=("page", "people"),
        look="people",
    )


def _of(n: int, text: str) -> Cell:
    return Cell(f"{text} of {n}" if n else UNKNOWN)


def _share(value: float | None) -> str:
    return UNKNOWN if value is None else percent(value)


def _seconds(value: float | None) -> Cell:
    return Cell(floatformat(value, 1) or UNKNOWN)


def _accuracy(person: PersonRow) -> Cell:
    if person.accuracy is None:
        return Cell(UNKNOWN)
    return Cell(percent(person.accuracy), f"{100 * person.low:.0f}–{100 * person.high:.0f}")


def _with_others(person: PersonRow) -> Cell:
    others = person.figures.among_others
    return Cell(_share(person.figures.with_others.value), _share(others.value) if others.defined else "")


def _commonest(person: PersonRow) -> Cell:
    commonest, grade = person.figures.commonest, person.figures.commonest_grade
    return Cell(_share(commonest.value), str(grade) if commonest.defined else "")


def _leniency(person: PersonRow) -> Cell:
    value = person.figures.leniency.value
    return Cell(UNKNOWN if value is None else with_sign(value, ".2f"))


def _longest_run(person: PersonRow) -> int | None:
    longest = person.figures.longest.value
    return None if longest is None else int(longest)


def _has_times(person: PersonRow) -> bool:
    return person.active_s is not None or person.wall_s is not None


# In the order of the CSV file and the API.
COLUMNS: tuple[Column[PersonRow], ...] = (
    Column("annotator", lambda person: person.pseudonym, help="The pseudonym."),
    Column(
        "standing",
        lambda person: person.standing,
        choices=tuple(STANDINGS.values()),
        shown=Shown(
            "Standing",
            is_numeric=False,
            meaning="reliable, unproven or unreliable, as the policy has it; unproven is who has too little "
            "gold to tell",
        ),
    ),
    Column("excluded", lambda person: person.exclusion is not None, Kind.YES_NO),
    Column("paused", lambda person: person.is_paused, Kind.YES_NO, help="Gets no cards for now, and is not excluded."),
    Column("believed", lambda person: person.believed, Kind.YES_NO, help="Under the policy."),
    Column(
        "judged",
        lambda person: person.n_judged,
        Kind.WHOLE,
        sort="judged",
        shown=Shown(
            "Judged",
            term="Judged, gold",
            meaning="pairs with a grade of the person; those of them whose grade is known, and that count for accuracy",
        ),
    ),
    Column(
        "gold", lambda person: person.n_gold, Kind.WHOLE, help="Gold pairs judged.", sort="gold", shown=Shown("Gold")
    ),
    Column(
        "accuracy",
        lambda person: person.accuracy,
        Kind.NUMBER,
        nullable=True,
        sort="accuracy",
        shown=Shown(
            "Accuracy",
            cell=_accuracy,
            is_narrow=True,
            meaning="share of gold pairs judged right, over all gold of the collection, checks apart; with its Wilson "
            "interval (95 %)",
        ),
    ),
    Column(
        "accuracy_low",
        lambda person: person.low if person.n_gold else None,
        Kind.NUMBER,
        nullable=True,
        help="Of Wilson's interval, 95 %.",
    ),
    Column(
        "accuracy_high",
        lambda person: person.high if person.n_gold else None,
        Kind.NUMBER,
        nullable=True,
        sort="doubt",  # surely low first
    ),
    Column(
        "within_one",
        lambda person: person.figures.within_one.value,
        Kind.NUMBER,
        nullable=True,
        sort="near",
        shown=Shown(
            "Within one",
            cell=lambda person: Cell(_share(person.figures.within_one.value)),
            is_narrow=True,
            meaning="share of gold pairs with the gold grade or a neighbouring one",
        ),
    ),
    Column(
        "leniency",
        lambda person: person.figures.leniency.value,
        Kind.NUMBER,
        nullable=True,
        help="Mean steps above (+) or below the gold grade.",
        sort="leniency",
        shown=Shown(
            "Leniency",
            cell=_leniency,
            is_narrow=True,
            meaning="mean steps above (+) or below (−) the gold grade; from 5 pairs on",
        ),
    ),
    Column(
        "agreement_with_others",
        lambda person: person.figures.with_others.value,
        Kind.NUMBER,
        nullable=True,
        sort="others",
        shown=Shown(
            "With others",
            cell=_with_others,
            is_narrow=True,
            meaning="share of the others on the same pairs with the same grade; in grey, of the others among each "
            "other; from 5 pairs on",
        ),
    ),
    Column("agreement_among_others", lambda person: person.figures.among_others.value, Kind.NUMBER, nullable=True),
    Column(
        "commonest_grade",
        lambda person: person.figures.commonest_grade if person.figures.commonest.defined else None,
        Kind.WHOLE,
        nullable=True,
    ),
    Column(
        "commonest_share",
        lambda person: person.figures.commonest.value,
        Kind.NUMBER,
        nullable=True,
        sort="commonest",
        shown=Shown(
            "Commonest",
            cell=_commonest,
            is_narrow=True,
            meaning="share of the answers that have this person’s commonest grade, and in grey which it is; from 20 "
            "answers on",
        ),
    ),
    Column("longest_run", _longest_run, Kind.WHOLE, nullable=True),
    Column(
        "near_copies",
        lambda person: person.figures.n_alike,
        Kind.WHOLE,
        nullable=True,
        sort="alike",
        shown=Shown(
            "Copies",
            cell=lambda person: Cell(format_value(n := person.figures.n_alike), tone="warn" if n else ""),
            meaning="others whom this one agrees with far more than chance and accuracy explain; – where nobody shares "
            f"{LEAST} pairs with them that a third person judged",
        ),
    ),
    Column(
        "checks",
        lambda person: person.n_checks,
        Kind.WHOLE,
        shown=Shown(
            "Checks passed",
            cell=lambda person: _of(person.n_checks, f"{person.n_passed}"),
            where_any=lambda person: person.n_checks > 0,
            meaning="attention checks, documents of a distant topic, answered with the lowest grade; they count "
            "neither for accuracy nor in qrels",
        ),
    ),
    Column("checks_passed", lambda person: person.n_passed, Kind.WHOLE),
    Column(
        "repeats",
        lambda person: person.n_repeats,
        Kind.WHOLE,
        shown=Shown(
            "Same again",
            cell=lambda person: _of(person.n_repeats, f"{person.n_same} ({person.n_near})"),
            where_any=lambda person: person.n_repeats > 0,
            meaning="pairs that came a second time in a later block and got the same grade; in brackets, with one at "
            "most a step away",
        ),
    ),
    Column("repeats_same", lambda person: person.n_same, Kind.WHOLE),
    Column(
        "active_seconds",
        lambda person: person.active_s,
        Kind.NUMBER,
        nullable=True,
        sort="active",
        shown=Shown(
            "Active s",
            cell=lambda person: _seconds(person.active_s),
            where_any=_has_times,
            term="Active s, wall s",
            meaning="median seconds a judgment took, of the page visible and used, and by the clock",
        ),
    ),
    Column(
        "wall_seconds",
        lambda person: person.wall_s,
        Kind.NUMBER,
        nullable=True,
        sort="wall",
        shown=Shown("Wall s", cell=lambda person: _seconds(person.wall_s), where_any=_has_times),
    ),
    Column(
        "early",
        lambda person: person.early,
        Kind.NUMBER,
        nullable=True,
        sort="early",
        shown=Shown(
            "Early",
            cell=lambda person: Cell(_share(person.early)),
            where_any=_has_times,
            meaning="share of judgments before the batch’s minimum time",
        ),
    ),
    Column(
        "watch",
        lambda person: person.watch.state,
        sort="watch",
        order=lambda person: (not person.watch.reason, -person.watch.n_critical),
        shown=Shown(
            "Watch",
            cell=lambda person: (
                Cell(person.watch.state, person.watch_words, tone="bad") if person.watch.reason else Cell(UNKNOWN)
            ),
            where_any=lambda person: bool(person.watch.reason),
            is_numeric=False,
            meaning="who was stopped because critical errors on gold come too often, and after how many gold pairs "
            "that was sure",
        ),
    ),
    Column("watch_after", lambda person: person.watch.after, Kind.WHOLE, nullable=True),
    Column(
        "critical_errors",
        lambda person: person.watch.n_critical,
        Kind.WHOLE,
        shown=Shown(
            "Critical",
            cell=lambda person: Cell(str(person.watch.n_critical) if person.watch.n_gold else UNKNOWN),
            meaning="gold judged two or more grades from what is accepted, or, where a pair accepts several grades, "
            "outside them",
        ),
    ),
)

# What the page shows unless columns are chosen: with the pseudonym before them and the deeds behind they fit 1280 px.
FIT = ("standing", "judged", "gold", "accuracy", "watch", "critical_errors", "checks", "agreement_with_others")
ON_PAGE = (*FIT, "repeats")  # the order of all; the others follow as they stand above

_DRAWN: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {"standing": {"look": "standing", "part": "annotation/trust/quality_standing.html"}}
)

ANNOTATORS = Table[Sequence[PersonRow], PersonRow](COLUMNS, lambda people: sorted_people(people, "name"))
