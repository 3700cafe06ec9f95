"""What a person finds when they come in: their collections, and the batches in which they judge."""

from dataclasses import dataclass

from annotation.models import Collection, Membership, Participation, Role, User


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


def has_begun(person: User) -> bool:
    """Whether the person has ever judged anything here."""
    return Participation.objects.filter(annotator__user=person, n_judged__gt=0).exists()
