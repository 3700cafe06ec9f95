"""The information texts of a collection, and who has agreed to them."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.models import Batch, Collection, Consent, InformationVersion


@dataclass(frozen=True)
class VersionRow:
    """A version in the list: how many people have agreed to it, and which batches ask for it."""

    version: InformationVersion
    n_agreed: int
    batches: list[str]


def version_rows(collection: Collection) -> list[VersionRow]:
    """The newest first, without their texts. Two queries."""
    versions = InformationVersion.objects.filter(collection=collection).select_related("created_by").defer("text")
    batches: dict[int, list[str]] = {}
    asked = Batch.objects.filter(collection=collection, information__isnull=False).order_by("name")
    for information, name in asked.values_list("information_id", "name"):
        batches.setdefault(information or 0, []).append(name)
    counted = versions.annotate(n_agreed=Count("consents")).order_by("-number")
    return [VersionRow(each, each.n_agreed, batches.get(each.pk, [])) for each in counted]


def consents_to(version: InformationVersion) -> QuerySet[Consent]:
    """Who has agreed to the version and when, by pseudonym."""
    return Consent.objects.filter(information=version).select_related("annotator").order_by("annotator__pseudonym")


def batches_asking_for(version: InformationVersion) -> QuerySet[Batch]:
    """The batches that a revision of the version would move on."""
    asking = Q(information=version) & ~Q(state=Batch.State.CLOSED)
    return Batch.objects.filter(asking).order_by("name")
