"""What people agreed to and took note of: the texts, and who did so when."""

from collections.abc import Iterator, Sequence

from django.db.models import QuerySet

from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of
from annotation.exchange.steps.bundles.rules import check_identity
from annotation.formats.bundle.training import ConsentRow, InformationRow, ReadingRow
from annotation.models import Collection, Consent, GuidelineReading, InformationVersion


class InformationVersions(TablePart[InformationRow]):
    name, row = "information_versions", InformationRow
    since = 2

    def rows(self) -> Iterator[InformationRow]:
        found = paged(self.stored(self.collection), *self.row.__dataclass_fields__)
        return (InformationRow(*values) for values in found)

    def store(self, rows: Sequence[InformationRow]) -> None:
        for place, row in enumerate(rows):
            check_identity(place, row.sha256, {"text": row.text})
        create(InformationVersion, rows, self.row.__dataclass_fields__, collection=self.collection)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[InformationVersion]":
        return InformationVersion.objects.filter(collection=collection)


class Consents(TablePart[ConsentRow]):
    name, row = "consents", ConsentRow
    since = 2

    def rows(self) -> Iterator[ConsentRow]:
        found = paged(self.stored(self.collection), "annotator__pseudonym", "information__number", "given_at")
        return (ConsentRow(*values) for values in found)

    def store(self, rows: Sequence[ConsentRow]) -> None:
        names = [row.annotator for row in rows]
        people = keys_of(names, places.annotators(self.collection, names), "annotator")
        known = places.information(self.collection)
        texts = keys_of([row.information for row in rows], known, "version of the information text")
        create(Consent, rows, ["given_at"], annotator_id=people, information_id=texts)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Consent]":
        return Consent.objects.filter(information__collection=collection)


class GuidelineReadings(TablePart[ReadingRow]):
    name, row = "guideline_readings", ReadingRow
    since = 2

    def rows(self) -> Iterator[ReadingRow]:
        found = paged(self.stored(self.collection), "annotator__pseudonym", "guideline__number", "read_at")
        return (ReadingRow(*values) for values in found)

    def store(self, rows: Sequence[ReadingRow]) -> None:
        names = [row.annotator for row in rows]
        people = keys_of(names, places.annotators(self.collection, names), "annotator")
        known = places.guidelines(self.collection)
        versions = keys_of([row.guideline for row in rows], known, "version of the guideline")
        create(GuidelineReading, rows, ["read_at"], annotator_id=people, guideline_id=versions)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[GuidelineReading]":
        return GuidelineReading.objects.filter(guideline__collection=collection)
