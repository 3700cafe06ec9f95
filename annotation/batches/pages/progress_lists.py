"""The lists of a batch's topics and people, with how far each is."""

from collections.abc import Callable
from typing import TypeVar

from django.urls import reverse

from annotation.batches.read.batches import PersonProgress, TopicProgress
from annotation.kernel.list_columns import linked, moments, numbers, texts
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.page_tables import UNKNOWN
from annotation.kernel.tables import Cell, Kind, Shown
from annotation.models import Batch

Topic = TypeVar("Topic", bound=TopicProgress)
Person = TypeVar("Person", bound=PersonProgress)
STATES = [("True", "takes part"), ("False", "unassigned")]


def topic_listing(batch: Batch) -> Listing[TopicProgress]:
    """Of `topic_progress`."""
    columns: list[Listed[TopicProgress]] = topic_columns(batch)
    if not batch.brought_by_id:
        columns.append(withheld())
    return topics_listed(columns, batch.name)


def person_listing(batch: Batch, *, may_change: bool) -> Listing[PersonProgress]:
    """Of `person_progress`; whoever may change the batch can unassign people."""
    columns: list[Listed[PersonProgress]] = [
        _annotator(batch),
        takes_part(),
        texts("Kind", "kind", lambda person: person.annotator.kind, by="kind", is_folded=True),
        yes_or_no("Gets cards", "gets_cards", lambda person: person.annotator.gets_cards),
        numbers("Judged", "judgments", lambda person: person.n_judged, by="n_judged"),
    ]
    if not batch.brought_by_id:
        columns += [
            numbers("Skipped", "skipped", lambda person: person.n_skipped, by="n_skipped"),
            active_hours(),
            hours("Wall hours", "wall_hours"),
            pace(),
        ]
    columns.append(last_judged())
    has_deeds = may_change and not batch.brought_by_id and batch.state != Batch.State.CLOSED
    deeds = "annotation/batches/batch_person_deeds.html" if has_deeds else ""
    return people_listed(columns, batch.name, deeds=deeds)


def topics_listed(columns: list[Listed[Topic]], file: str) -> Listing[Topic]:
    return Listing(
        "Topics",
        columns,
        search=("number", "title"),
        hint="Number or title",
        nothing="No topic is like that.",
        heading_id="topics",
        explained_by="topics-said",
        file=file,
    )


def people_listed(
    columns: list[Listed[Person]], file: str, *, deeds: str = "", filters: tuple[Only, ...] = ()
) -> Listing[Person]:
    return Listing(
        "Annotators",
        columns,
        search=("annotator__pseudonym",),
        hint="Annotator",
        filters=(*filters, Only("part", "Part", "is_active", STATES)),
        is_out=lambda person: not person.is_active,
        nothing="Nobody is like that.",
        deeds=deeds,
        deeds_named="Unassign",
        heading_id="people",
        explained_by="people-said",
        prefix="people-",
        file=file,
    )


def topic_columns(batch: Batch) -> list[Listed[Topic]]:
    """Those of any list of its topics."""

    def address(topic: Topic) -> str:
        return reverse("topic", args=[batch.collection.slug, topic.number])

    def progress(topic: Topic) -> Cell:
        if batch.brought_by_id:
            return Cell(str(topic.n_judged))
        return Cell(str(topic.n_judged), done=topic.n_judged, most=topic.n_wanted)

    columns: list[Listed[Topic]] = [
        linked("Topic", "number", lambda topic: topic.number, address, kind=Kind.ID, by="number", look="fit"),
        texts("Title", "title", lambda topic: topic.title, by="title"),
        numbers("Pairs", "pairs", lambda topic: topic.n_items, by="n_items"),
        Listed(
            "judgments",
            lambda topic: topic.n_judged,
            Kind.WHOLE,
            by="n_judged",
            of="" if batch.brought_by_id else "judgments_wanted",
            look="num" if batch.brought_by_id else "fit",
            shown=Shown("Judged", progress, is_numeric=bool(batch.brought_by_id)),
        ),
    ]
    if not batch.brought_by_id:
        columns.append(
            numbers("Wanted", "judgments_wanted", lambda topic: topic.n_wanted, by="n_wanted", is_folded=True)
        )
    return columns


def takes_part() -> Listed[Person]:
    return yes_or_no("Takes part", "takes_part", lambda person: person.is_active)


def yes_or_no(head: str, name: str, get: Callable[[Person], bool]) -> Listed[Person]:
    """What the page says behind the name."""
    shown = Shown[Person](head, lambda person: Cell("yes" if get(person) else "no"), is_numeric=False)
    return Listed(name, get, Kind.YES_NO, by=name, is_folded=True, shown=shown)


def active_hours(*, is_folded: bool = False) -> Listed[Person]:
    return hours("Active hours", "active_hours", is_folded=is_folded)


def hours(head: str, name: str, *, is_folded: bool = False) -> Listed[Person]:
    def get(person: Person) -> float:
        value: float = getattr(person, name)
        return value

    return Listed(name, get, Kind.NUMBER, by=name, is_folded=is_folded, shown=Shown(head))


def pace() -> Listed[Person]:
    def cell(person: Person) -> Cell:
        return Cell(f"{person.pace:,.0f}" if person.pace else UNKNOWN)

    return Listed(
        "judgments_per_active_hour", lambda person: person.pace, Kind.NUMBER, by="pace", shown=Shown("Pace", cell)
    )


def last_judged(*, is_folded: bool = False) -> Listed[Person]:
    return moments(
        "Last judged",
        "last_judged",
        lambda person: person.last_seen,
        by="last_seen",
        is_folded=is_folded,
    )


def _annotator(batch: Batch) -> Listed[PersonProgress]:
    def cell(person: PersonProgress) -> Cell:
        name = person.annotator.pseudonym
        address = reverse("annotator", args=[batch.collection.slug, name])
        return Cell(name, note=_note(person), address=address)

    shown = Shown("Annotator", cell, is_numeric=False)
    return Listed("annotator", lambda person: person.annotator.pseudonym, by="annotator", shown=shown)


def _note(person: PersonProgress) -> str:
    if not person.is_active:
        return "(unassigned)"
    if person.annotator.is_machine:
        return "(machine judge)"
    return "" if person.annotator.gets_cards else "(gets no cards)"


def withheld() -> Listed[Topic]:
    return numbers("Withheld", "withheld", lambda topic: topic.n_withheld or None, by="n_withheld")
