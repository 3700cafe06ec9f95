"""Who judged, as pseudonyms; who is left out of the count, and who gets no cards. No account goes along."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from annotation.exchange.steps.bundles.parts.part import Part, Row
from annotation.exchange.steps.bundles.parts.references import ANNOTATOR
from annotation.formats.bundle.quality_rows import ExclusionRow, PauseRow
from annotation.formats.bundle.rows import AnnotatorRow
from annotation.kernel.visible import visible_annotators
from annotation.models import Annotator, ExclusionEvent, PauseEvent
from annotation.trust.steps import hold_or_go_on


class Annotators(Part[AnnotatorRow]):
    name, row, model = "annotators", AnnotatorRow, Annotator

    def outgoing(self) -> "QuerySet[Annotator]":
        return visible_annotators(self.collection)


class AnnotatorEvents(Part[Row]):
    """Whoever is paused or excluded by the last event gets no cards."""

    references = (ANNOTATOR,)

    def insert(self, rows: Sequence[Row]) -> list[Any]:
        events = super().insert(rows)
        for annotator in Annotator.objects.filter(pk__in={event.annotator_id for event in events}):
            hold_or_go_on(annotator)
        return events


class Exclusions(AnnotatorEvents[ExclusionRow]):
    name, row, model = "exclusions", ExclusionRow, ExclusionEvent


class Pauses(AnnotatorEvents[PauseRow]):
    name, row, model = "pauses", PauseRow, PauseEvent
    since = 3
