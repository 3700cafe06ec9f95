"""What a person finds when they come in: their collections, and the batches in which they judge."""

from dataclasses import dataclass

from annotation.judging.read.qualifying import RoundProgress, rounds_ahead
from annotation.judging.read.remaining import waiting_batches
from annotation.models import Batch, Collection, Membership, Participation, Role, User


@dataclass(frozen=True)
class OwnCollection:
    """A collection and what the person is in it."""

    collection: Collection
    roles: list[str]

    @property
    def is_browsable(self) -> bool:
        return self.roles != [Role.ANNOTATOR]


@dataclass(frozen=True)
class OwnPart:
    """A part in a batch that is open or paused; `training` is the round that the person has to pass there, once they
    have agreed to what the batch asks them to agree to."""

    participation: Participation
    training: RoundProgress | None

    @property
    def is_to_do(self) -> bool:
        """Whether the person can judge or train there now."""
        training = self.training
        is_shut = training is not None and not training.is_running and not training.may_begin
        return _gets_cards(self.participation) and vars(self.participation)["has_cards"] and not is_shut


def own_collections(person: User) -> list[OwnCollection]:
    """The person's collections by name, in one query."""
    memberships = Membership.objects.filter(user=person).select_related("collection")
    roles_in: dict[Collection, list[str]] = {}
    for membership in memberships.order_by("collection__name", "collection__slug", "role"):
        roles_in.setdefault(membership.collection, []).append(membership.role)
    return [OwnCollection(collection, roles) for collection, roles in roles_in.items()]


def own_parts(person: User) -> list[OwnPart]:
    """In one query; in up to four where a batch asks for a round."""
    parts = list(waiting_batches(person))
    rounds = rounds_ahead([part for part in parts if _gets_cards(part)])
    return [OwnPart(part, rounds.get(part.pk)) for part in parts]


def _gets_cards(part: Participation) -> bool:
    return part.batch.state == Batch.State.OPEN and part.annotator.gets_cards


def has_begun(person: User) -> bool:
    """Whether the person has ever judged anything here."""
    return Participation.objects.filter(annotator__user=person, n_judged__gt=0).exists()
