"""What stands between the people of a batch and their next card: for those who lead it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.batches.read.qualifications import PersonResult, person_results
from annotation.models import Annotator, Batch, Consent, GuidelineReading, Participation


@dataclass(frozen=True)
class Participant:
    """When they agreed, which guideline they acknowledged last (its number), how the round went."""

    annotator: Annotator
    agreed_at: datetime | None
    guideline: int | None
    result: PersonResult | None

    @property
    def is_out(self) -> bool:
        return self.result is not None and self.result.is_out


def participants_of(batch: Batch) -> list[Participant]:
    """The active ones by pseudonym. At most six queries."""
    active = Participation.objects.filter(batch=batch, is_active=True).select_related("annotator")
    people = [each.annotator for each in active.order_by("annotator__pseudonym")]
    agreed, guidelines = _agreed(batch, people), _guidelines(people)
    results = {each.annotator: each for each in person_results(batch.qualification)} if batch.qualification else {}
    return [Participant(each, agreed.get(each.pk), guidelines.get(each.pk), results.get(each)) for each in people]


def _agreed(batch: Batch, people: Sequence[Annotator]) -> dict[int, datetime]:
    if batch.information_id is None:
        return {}
    consents = Consent.objects.filter(information=batch.information_id, annotator__in=people)
    return dict(consents.values_list("annotator_id", "given_at"))


def _guidelines(people: Sequence[Annotator]) -> dict[int, int]:
    readings = GuidelineReading.objects.filter(annotator__in=people).order_by("pk")
    return dict(readings.values_list("annotator_id", "guideline__number"))
