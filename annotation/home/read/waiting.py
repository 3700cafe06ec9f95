"""What a person finds when they come in: their collections, and the batches in which they judge."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.models import Batch, Collection, Membership, Participation, Role, User


@dataclass(frozen=True)
class Place:
    """A collection and what the person is in it."""

    collection: Collection
    roles: list[str]

    @property
    def is_browsable(self) -> bool:
        return self.roles != [Role.ANNOTATOR]


def places_of(person: User) -> list[Place]:
    """The person's collections by name, in one query."""
    memberships = Membership.objects.filter(user=person).select_related("collection")
    found: dict[Collection, list[str]] = {}
    for membership in memberships.order_by("collection__name", "collection__slug", "role"):
        found.setdefault(membership.collection, []).append(membership.role)
    return [Place(collection, roles) for collection, roles in found.items()]


def waiting_batches(person: User) -> Iterable[Participation]:
    """The person's places in open and paused batches, open ones first, then the ones begun last."""
    return (
        Participation.objects.filter(
            annotator__user=person, is_active=True, batch__state__in=[Batch.State.OPEN, Batch.State.PAUSED]
        )
        .select_related("batch__collection", "annotator")
        .order_by("batch__state", "-batch__laid_out_at", "batch__name")
    )


def has_begun(person: User) -> bool:
    """Whether the person has ever judged anything here."""
    return Participation.objects.filter(annotator__user=person, n_judged__gt=0).exists()
