"""What a person finds when they come in: their collections, and the batches in which they judge."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.judging.read import cards_left
from annotation.models import Batch, Collection, Membership, Participation, Role, User


@dataclass(frozen=True)
class OwnCollection:
    """A collection and what the person is in it."""

    collection: Collection
    roles: list[str]

    @property
    def is_browsable(self) -> bool:
        return self.roles != [Role.ANNOTATOR]


def own_collections(person: User) -> list[OwnCollection]:
    """The person's collections by name, in one query."""
    memberships = Membership.objects.filter(user=person).select_related("collection")
    roles_in: dict[Collection, list[str]] = {}
    for membership in memberships.order_by("collection__name", "collection__slug", "role"):
        roles_in.setdefault(membership.collection, []).append(membership.role)
    return [OwnCollection(collection, roles) for collection, roles in roles_in.items()]


def waiting_batches(person: User) -> Iterable[Participation]:
    """The person's part in open and paused batches, open ones first, then the ones begun last.

    `has_cards` of each: whether anything is left for them there.
    """
    return (
        Participation.objects.filter(
            annotator__user=person, is_active=True, batch__state__in=[Batch.State.OPEN, Batch.State.PAUSED]
        )
        .select_related("batch__collection", "annotator")
        .annotate(has_cards=cards_left())
        .order_by("batch__state", "-has_cards", "-batch__laid_out_at", "batch__name")
    )


def has_begun(person: User) -> bool:
    """Whether the person has ever judged anything here."""
    return Participation.objects.filter(annotator__user=person, n_judged__gt=0).exists()
