"""Who belongs to a collection, and who is invited."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Max, OuterRef, QuerySet, Subquery, Value, When
from django.utils import timezone

from annotation.models import Annotator, Assignment, AuditEvent, Collection, Invitation, Membership, Role, User


@dataclass(frozen=True)
class Member:
    """A person in a collection. `last_activity` counts what they did in this collection only."""

    person: User
    roles: list[str]
    pseudonym: str
    last_activity: datetime | None

    @property
    def is_not_blind(self) -> bool:
        """An annotator who may also look up what is known about the pairs."""
        return Role.ANNOTATOR in self.roles and len(self.roles) > 1


def members_of(collection: Collection) -> list[Member]:
    """Every member, by username; four queries however many they are."""
    roles: dict[User, list[str]] = {}
    for membership in Membership.objects.filter(collection=collection).select_related("user").order_by("role"):
        roles.setdefault(membership.user, []).append(membership.role)
    pseudonyms = dict(Annotator.objects.filter(collection=collection).values_list("user", "pseudonym"))
    last_activity = _last_activity(collection)
    return [
        Member(person, roles[person], pseudonyms.get(person.pk, ""), last_activity.get(person.pk))
        for person in sorted(roles, key=lambda person: person.username.casefold())
    ]


def _last_activity(collection: Collection) -> dict[int, datetime]:
    deeds = AuditEvent.objects.filter(collection=collection, actor__isnull=False).order_by()
    cards = Assignment.objects.filter(annotator=OuterRef("pk")).order_by("-claimed_at").values("claimed_at")[:1]
    people = Annotator.objects.filter(collection=collection, user__isnull=False)
    latest: dict[int, datetime] = {}
    for person, moment in [
        *deeds.values_list("actor").annotate(Max("created_at")),
        *people.values_list("user", Subquery(cards)),
    ]:
        if moment is not None:
            latest[person] = max(moment, latest.get(person, moment))
    return latest


def open_invitations(collection: Collection) -> QuerySet[Invitation]:
    """Those whose links still work, the newest first."""
    unused = Invitation.objects.filter(collection=collection, used_at=None, withdrawn_at=None)
    return unused.filter(expires_at__gt=timezone.now()).order_by("-pk")


def invitations_of(collection: Collection) -> QuerySet[Invitation]:
    """The newest first, each with its `state`: open, used, withdrawn or expired."""
    state = Case(
        When(used_at__isnull=False, then=Value("used")),
        When(withdrawn_at__isnull=False, then=Value("withdrawn")),
        When(expires_at__lte=timezone.now(), then=Value("expired")),
        default=Value("open"),
    )
    invitations = Invitation.objects.filter(collection=collection).annotate(state=state)
    return invitations.select_related("used_by", "created_by").order_by("-pk")
