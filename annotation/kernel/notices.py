"""The inbox of each person: what happened that concerns them. Call `tell` in the transaction of what it tells of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import import_string

from annotation.kernel.access import ADMIN, MEMBER, RESEARCH
from annotation.models import Collection, Membership, Notice, User
from annotation.models.prepared import KEY, Blank, Values

MOST_CHARACTERS = 300


@dataclass(frozen=True)
class Kind:
    """`page`: the address of the thing. `roles`: who may see it, as long as they have one of these in the collection.
    `has_slug`: whether the address names the collection. `goes_out`: what those who lead may hear outside of the app,
    too; not work of one person, and not alerts of series, which have messages of their own."""

    page: str
    roles: frozenset[str]
    has_slug: bool = True
    goes_out: bool = False


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "alert": Kind("batch_health", RESEARCH, goes_out=True),
        "answer": Kind("own_results", MEMBER, has_slug=False),
        "batch done": Kind("batch", ADMIN, goes_out=True),
        "batch open": Kind("judge", MEMBER, has_slug=False),
        "import": Kind("import_detail", RESEARCH, goes_out=True),
        "invitation": Kind("people_person", ADMIN, goes_out=True),
        "job": Kind("job", RESEARCH, has_slug=False),
        "objection": Kind("gold_appeal", ADMIN, goes_out=True),
        "results": Kind("own_results", MEMBER, has_slug=False),
        "series alert": Kind("series", RESEARCH),
        "snapshot": Kind("snapshot", RESEARCH, goes_out=True),
    }
)


def settle(person: int, cause: str) -> None:
    """What it asked for is done: it counts as read."""
    Notice.objects.filter(user=person, cause=cause, read_at=None).update(read_at=timezone.now())


def tell(
    kind: str, people: Iterable[int], *, cause: str, text: str, collection: Collection | None, **values: str | int
) -> None:
    """One row for each of these users, unless they were told of this cause before."""
    columns = {"kind": kind, "cause": cause, "text": text[:MOST_CHARACTERS], "collection": collection, "values": values}
    rows = [Notice(user_id=person, **columns) for person in sorted(set(people))]
    if rows:
        Notice.objects.bulk_create(rows, ignore_conflicts=True)
    if collection and KINDS[kind].goes_out:
        page = _address(KINDS[kind], collection, values)
        for path in settings.TOUCHSTONE_TOLD:
            import_string(path)(collection, kind=kind, cause=cause, text=text[:MOST_CHARACTERS], page=page)


def leads(collection: Collection, roles: frozenset[str] = RESEARCH, *, besides: User | None = None) -> set[int]:
    """Users with one of these roles there, without who did it."""
    members = Membership.objects.filter(collection=collection, role__in=roles).values_list("user", flat=True)
    return set(members) - ({besides.pk} if besides else set())


def notices_of(person: User | Blank) -> QuerySet[Notice]:
    """The newest first. What a person may see no more, as their roles are now, is not among them."""
    by_roles: dict[frozenset[str], list[str]] = {}
    for name, kind in KINDS.items():
        by_roles.setdefault(kind.roles, []).append(name)
    allowed = Q(collection=None)
    for roles, kinds in by_roles.items():
        memberships = Membership.objects.filter(user=person, collection=OuterRef("collection"), role__in=roles)
        allowed |= Q(Exists(memberships), kind__in=kinds)
    return Notice.objects.filter(allowed, user=person).select_related("collection").order_by("-pk")


def address_of(notice: Notice) -> str:
    return _address(KINDS[notice.kind], notice.collection, notice.values)


def _address(kind: Kind, collection: Collection | None, values: Mapping[str, str | int]) -> str:
    slug = {"slug": collection.slug} if kind.has_slug and collection else {}
    return reverse(kind.page, kwargs={**slug, **values})


_UNREAD = Values(  # asked at every page
    lambda: (
        notices_of(Blank("user", KEY))
        .filter(read_at=None)
        .order_by()
        .values("user")
        .annotate(n=Count("pk"))
        .values_list("n")
    )
)


def inbox(request: HttpRequest) -> dict[str, object]:
    """For templates: how many are unread, counted where a head says it."""
    return {"n_unread": lambda: _n_unread(request)}


def _n_unread(request: HttpRequest) -> int:
    person = request.user
    rows = _UNREAD.rows(user=person.pk) if isinstance(person, User) else []
    return sum(n for (n,) in rows)
