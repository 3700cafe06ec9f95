"""What people agreed to and took note of: the texts, and who did so when."""

from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.parts.references import ANNOTATOR, GUIDELINE, INFORMATION
from annotation.exchange.steps.bundles.parts.rules import identity_fault
from annotation.formats.bundle.training_rows import ConsentRow, InformationRow, ReadingRow
from annotation.models import Consent, GuidelineReading, InformationVersion


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
