"""The lists of a batch's topics and people on its health page."""

from collections.abc import Callable
from dataclasses import replace

from django.urls import reverse

from annotation.batches.pages.progress_lists import (
    active_hours,
    last_judged,
    pace,
    people_listed,
    takes_part,
    topic_columns,
    topics_listed,
    withheld,
    yes_or_no,
)
from annotation.health.pages.people import PersonHealth
from annotation.health.pages.report import HealthReport
from annotation.health.pages.tables import PEOPLE, TOPICS
from annotation.health.pages.topics import TopicHealth
from annotation.kernel.list_columns import listed
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.page_tables import UNKNOWN
from annotation.kernel.tables import Cell, Kind, Shown
from annotation.models import Batch
from annotation.text.counted import percent

OF_TOPIC = {column.name: column for column in TOPICS}
OF_PERSON = {column.name: column for column in PEOPLE}


def topic_listing(batch: Batch) -> Listing[TopicHealth]:
    same = listed(
        OF_TOPIC["pairwise_agreement"],
        by="pairwise",
        look="num with-meter",
        part="annotation/health/health_meter.html",
        shown=Shown[TopicHealth]("Same grade"),
    )
    columns: list[Listed[TopicHealth]] = [*topic_columns(batch), same]
    if not batch.brought_by_id:
        cannot = listed(
            OF_TOPIC["could_not_judge"], by="n_cannot", shown=Shown[TopicHealth]("Could not judge", _cannot)
        )
        met = listed(OF_TOPIC["cards_met"], by="n_met", is_folded=True, shown=Shown[TopicHealth]("Cards met"))
        columns += [cannot, met, withheld()]
    return topics_listed(columns, f"{batch.name} health")


def person_listing(batch: Batch, report: HealthReport) -> Listing[PersonHealth]:
    """Of the report's people; what is the same of all, or unknown, is no column."""
    columns: list[Listed[PersonHealth]] = [
        _annotator(batch),
        takes_part(),
        yes_or_no("Excluded", "excluded", lambda person: person.excluded),
        yes_or_no("Paused", "paused", lambda person: person.paused),
        listed(OF_PERSON["standing"], by="standing", look="fit", shown=Shown("Standing", _standing, is_numeric=False)),
        listed(OF_PERSON["judgments"], by="n_judged", shown=Shown("Judged")),
        listed(OF_PERSON["skipped"], by="n_skipped", is_folded=True, shown=Shown("Skipped")),
    ]
    if report.has_times:
        columns.append(_of_late())
    columns += [
        listed(OF_PERSON["gold"], by="n_gold", shown=Shown("Gold")),
        listed(
            OF_PERSON["accuracy"],
            by="accuracy",
            look="fit",
            part="annotation/health/health_right.html",
            shown=Shown("Right on gold", is_numeric=False),
        ),
        _end("accuracy_low", "low", "Right from", lambda person: person.low),
        _end("accuracy_high", "high", "Right to", lambda person: person.high),
    ]
    if report.has_paces:
        columns += [
            active_hours(is_folded=True),
            pace(),
            listed(OF_PERSON["median_seconds"], by="seconds", shown=Shown("Median s", _seconds)),
            listed(
                OF_PERSON["early"],
                by="early",
                is_folded=True,
                shown=Shown("Early", lambda person: _share(person.early)),
            ),
            listed(OF_PERSON["hasty"], by="hasty", shown=Shown("Hasty", lambda person: _share(person.hasty))),
        ]
    if report.has_times:
        columns.append(last_judged(is_folded=True))
    standings = sorted({person.standing for person in report.people})
    only = Only("standing", "Standing", "standing", [(each, each) for each in standings])
    listing = people_listed(columns, f"{batch.name} health", filters=(only,))
    return replace(listing, is_out=lambda person: person.excluded or bool(_note(person)))


def _annotator(batch: Batch) -> Listed[PersonHealth]:
    def cell(person: PersonHealth) -> Cell:
        address = reverse("annotator", args=[batch.collection.slug, person.pseudonym])
        return Cell(person.pseudonym, note=_note(person), address=address)

    return listed(OF_PERSON["annotator"], by="pseudonym", shown=Shown("Annotator", cell, is_numeric=False))


def _end(column: str, key: str, head: str, end: Callable[[PersonHealth], float]) -> Listed[PersonHealth]:
    """Of the interval of accuracy."""
    shown = Shown[PersonHealth](head, lambda person: _share(end(person) if person.n_gold else None))
    return listed(OF_PERSON[column], by=key, is_folded=True, shown=shown)


def _note(person: PersonHealth) -> str:
    if person.paused:
        return "(paused)"
    return "" if person.is_active else "(unassigned)"


def _of_late() -> Listed[PersonHealth]:
    """By day, in the file with blanks between."""

    def by_day(person: PersonHealth) -> str:
        return " ".join(map(str, person.days))

    shown = Shown[PersonHealth]("Of late", is_numeric=False)
    return Listed("of_late", by_day, Kind.ID, look="fit", part="annotation/health/health_of_late.html", shown=shown)


def _standing(person: PersonHealth) -> Cell:
    return Cell(person.verdict.word, tone=person.verdict.tone)


def _seconds(person: PersonHealth) -> Cell:
    return Cell(UNKNOWN if person.seconds is None else f"{person.seconds:.1f}")


def _share(share: float | None) -> Cell:
    return Cell(UNKNOWN if share is None else percent(share))


def _cannot(topic: TopicHealth) -> Cell:
    return Cell(f"{topic.n_cannot} of {topic.n_met}" if topic.n_cannot else UNKNOWN)
