"""Who judged, by pseudonym alone; what they agreed to; who is left out, and who gets no cards."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from annotation.exchange.steps.bundles.parts.part import Part, Row
from annotation.exchange.steps.bundles.parts.references import ANNOTATOR, GUIDELINE, INFORMATION
from annotation.exchange.steps.bundles.parts.rules import identity_fault
from annotation.formats.bundle.quality_rows import ExclusionRow, PauseRow
from annotation.formats.bundle.rows import AnnotatorRow
from annotation.formats.bundle.training_rows import ConsentRow, InformationRow, ReadingRow
from annotation.kernel.visible import visible_annotators
from annotation.models import Annotator, Consent, ExclusionEvent, GuidelineReading, InformationVersion, PauseEvent
from annotation.trust.steps.pausing import hold_or_go_on


class Annotators(Part[AnnotatorRow]):
    name, row, model = "annotators", AnnotatorRow, Annotator

    def outgoing(self) -> "QuerySet[Annotator]":
        return visible_annotators(self.collection)


class InformationVersions(Part[InformationRow]):
    name, row, model = "information_versions", InformationRow, InformationVersion
    since = 2

    def fault(self, row: InformationRow) -> str:
        return identity_fault(row.sha256, {"text": row.text})


class Consents(Part[ConsentRow]):
    name, row, model = "consents", ConsentRow, Consent
    references = (ANNOTATOR, INFORMATION)
    since = 2


class GuidelineReadings(Part[ReadingRow]):
    name, row, model = "guideline_readings", ReadingRow, GuidelineReading
    references = (ANNOTATOR, GUIDELINE)
    since = 2


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
