"""Who judged, as pseudonyms; who is left out of the count, and who gets no cards. No account goes along."""

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet

from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of
from annotation.formats.bundle.quality import ExclusionRow, PauseRow
from annotation.formats.bundle.rows import AnnotatorRow
from annotation.kernel.visible import visible_annotators
from annotation.models import Annotator, Collection, ExclusionEvent, PauseEvent
from annotation.trust.steps import hold_or_go_on

OF_AN_ANNOTATOR = ("pseudonym", "simulated", "kind")
OF_AN_EXCLUSION = ("action", "rule", "reason", "created_at")
OF_A_PAUSE = ("action", "rule", "reason", "told", "created_at")


class Annotators(TablePart[AnnotatorRow]):
    name, row = "annotators", AnnotatorRow

    def rows(self) -> Iterator[AnnotatorRow]:
        found = paged(visible_annotators(self.collection), *OF_AN_ANNOTATOR)
        return (AnnotatorRow(*values) for values in found)

    def store(self, rows: Sequence[AnnotatorRow]) -> None:
        create(Annotator, rows, OF_AN_ANNOTATOR, collection=self.collection)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Annotator]":
        return Annotator.objects.filter(collection=collection)


class Exclusions(TablePart[ExclusionRow]):
    name, row = "exclusions", ExclusionRow

    def rows(self) -> Iterator[ExclusionRow]:
        found = paged(self.stored(self.collection), "annotator__pseudonym", *OF_AN_EXCLUSION)
        return (ExclusionRow(*values) for values in found)

    def store(self, rows: Sequence[ExclusionRow]) -> None:
        _happened(self.collection, ExclusionEvent, rows, OF_AN_EXCLUSION)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[ExclusionEvent]":
        return ExclusionEvent.objects.filter(collection=collection)


class Pauses(TablePart[PauseRow]):
    name, row = "pauses", PauseRow
    since = 3

    def rows(self) -> Iterator[PauseRow]:
        found = paged(self.stored(self.collection), "annotator__pseudonym", *OF_A_PAUSE)
        return (PauseRow(*values) for values in found)

    def store(self, rows: Sequence[PauseRow]) -> None:
        _happened(self.collection, PauseEvent, rows, OF_A_PAUSE)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[PauseEvent]":
        return PauseEvent.objects.filter(collection=collection)


def _happened(
    collection: Collection,
    kind: type[ExclusionEvent] | type[PauseEvent],
    rows: Sequence[ExclusionRow] | Sequence[PauseRow],
    columns: Sequence[str],
) -> None:
    """Store the events; who is paused or excluded by now gets no cards."""
    names = [row.annotator for row in rows]
    people = keys_of(names, places.annotators(collection, names), "annotator")
    create(kind, rows, columns, collection=collection, annotator_id=people)
    for annotator in Annotator.objects.filter(pk__in=people):
        hold_or_go_on(annotator)
