"""The one door for permissions: who may see and do what.

Getters return the object or raise: `Http404` for what a person may not know of, `PermissionDenied`
(403) for what they know of but may not do. The anonymous visitor is sent to sign in by
`login_required` before any getter runs.
"""

from collections.abc import Collection as Roles
from typing import TypeVar

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.http import Http404

from annotation.kernel.visible import laid_out, visible_annotators, visible_batches, visible_pools
from annotation.models import (
    Annotator,
    Appeal,
    Batch,
    Collection,
    GuidelineVersion,
    Import,
    InformationVersion,
    Invitation,
    Item,
    Job,
    Membership,
    Participation,
    Pool,
    Qualification,
    QualificationItem,
    Role,
    Snapshot,
    User,
)
from annotation.models.prepared import KEY, WORD, Blank, Rows, Values

ADMIN = frozenset({Role.ADMIN})
RESEARCH = frozenset({Role.ADMIN, Role.RESEARCHER})
MEMBER = frozenset(Role)

# Asked at every deed of who judges, and for nearly every page and answer of the API.
_PARTICIPATION = Rows(
    lambda: Participation.objects.filter(
        batch__token=Blank("token", WORD), annotator__user=Blank("user", KEY)
    ).select_related("batch__collection", "batch__scale", "annotator")
)
_COLLECTION = Rows(
    lambda: Collection.objects.filter(
        slug=Blank("slug", WORD), pk__in=Membership.objects.filter(user=Blank("user", KEY)).values("collection")
    ).select_related("scale", "guideline")
)
_ROLES = Values(
    lambda: Membership.objects.filter(collection=Blank("collection", KEY), user=Blank("user", KEY)).values_list("role")
)

Person = User | AnonymousUser
Row = TypeVar("Row", bound=Model)


def _first(rows: QuerySet[Row], noun: str) -> Row:
    """The only row there can be; else 404."""
    row = rows.first()
    if row is None:
        raise Http404(f"No such {noun}.")
    return row


def roles_in(user: Person, collection: Collection) -> frozenset[str]:
    """The person's roles in the collection; empty for outsiders."""
    if not user.is_authenticated:
        return frozenset()
    return frozenset(role for (role,) in _ROLES.rows(collection=collection.pk, user=user.pk))


def collections_of(user: Person) -> QuerySet[Collection]:
    """The collections in which the person has any role."""
    if not user.is_authenticated:
        return Collection.objects.none()
    return Collection.objects.filter(pk__in=Membership.objects.filter(user=user).values("collection"))


def collection_for(user: Person, slug: str, roles: Roles[str] = MEMBER) -> Collection:
    """The collection, for a person with one of `roles` in it. Outsiders: 404; members of other roles: 403."""
    collection = _COLLECTION.first(slug=slug, user=user.pk) if user.is_authenticated else None
    if collection is None:
        raise Http404("No such collection.")
    if not roles_in(user, collection) & frozenset(roles):
        raise PermissionDenied("Your role in this collection does not allow this.")
    return collection


def batch_for(user: Person, slug: str, token: str, roles: Roles[str] = ADMIN) -> Batch:
    """The batch of a collection, for a person with one of `roles`."""
    collection = collection_for(user, slug, roles)
    joined = ("collection__guideline", "pool", "brought_by__created_by", "scale", "information", "qualification")
    return _first(visible_batches(collection).filter(token=token).select_related(*joined), "batch")


def pool_for(user: Person, slug: str, pk: int, roles: Roles[str] = RESEARCH) -> Pool:
    """The pool of a collection, for a person with one of `roles`."""
    collection = collection_for(user, slug, roles)
    return _first(visible_pools(collection).filter(pk=pk).select_related("collection", "created_by"), "pool")


def participation_for(user: Person, batch_token: str, *, though_left: bool = False) -> Participation:
    """The person's place in a batch: what lets them judge. Anyone else: 404.

    With `though_left`, also of someone taken off the batch: what they had open, they may still hand in.
    """
    if not user.is_authenticated:
        raise Http404("No such batch.")
    participation = _PARTICIPATION.first(token=batch_token, user=user.pk)
    if participation is None or not (participation.is_active or though_left):
        raise Http404("No such batch.")
    return participation


def judging_blind() -> Combinable:
    """Of a participation: whether the person judges without being able to look up what is known about the pairs."""
    roles = Membership.objects.filter(
        collection=OuterRef("annotator__collection"), user=OuterRef("annotator__user"), role__in=RESEARCH
    )
    return ~Exists(roles)


def require_may_create_collections(user: Person) -> User:
    if not isinstance(user, User) or not may_create_collections(user):
        raise PermissionDenied("You may not create collections. Ask whoever runs this installation.")
    return user


def may_create_collections(user: Person) -> bool:
    return isinstance(user, User) and (user.may_create_collections or user.is_superuser)


def person_for(user: Person, slug: str, username: str) -> tuple[Collection, User]:
    """A collection and one of its members, for its admins."""
    collection = collection_for(user, slug, ADMIN)
    members = User.objects.filter(memberships__collection=collection).distinct()
    return collection, _first(members.filter(username=username), "person in this collection")


def invitation_for(user: Person, slug: str, number: int) -> Invitation:
    """An invitation to a collection, for its admins."""
    collection = collection_for(user, slug, ADMIN)
    invitations = Invitation.objects.filter(collection=collection).select_related("collection")
    return _first(invitations.filter(pk=number), "invitation")


def guideline_version_for(user: Person, slug: str, number: int, roles: Roles[str] = RESEARCH) -> GuidelineVersion:
    """A version of a collection's guideline, current or not."""
    collection = collection_for(user, slug, roles)
    version = _first(GuidelineVersion.objects.filter(collection=collection, number=number), "version")
    version.collection = collection
    return version


def information_for(user: Person, slug: str, number: int, roles: Roles[str] = RESEARCH) -> InformationVersion:
    """A version of a collection's information text."""
    collection = collection_for(user, slug, roles)
    versions = InformationVersion.objects.filter(collection=collection).select_related("created_by")
    version = _first(versions.filter(number=number), "version")
    version.collection = collection
    return version


def qualification_for(user: Person, slug: str, token: str, roles: Roles[str] = RESEARCH) -> Qualification:
    """A qualification round of a collection."""
    collection = collection_for(user, slug, roles)
    rounds = Qualification.objects.filter(collection=collection).select_related("scale")
    qualification = _first(rounds.filter(token=token), "round")
    qualification.collection = collection
    return qualification


def qualification_pair_for(user: Person, slug: str, token: str, item: str) -> QualificationItem:
    """A pair of a qualification round, with its texts, for the admins of the collection."""
    qualification = qualification_for(user, slug, token, ADMIN)
    pairs = QualificationItem.objects.filter(qualification=qualification)
    pair = _first(pairs.select_related("topic_version__topic", "document_version__document").filter(token=item), "pair")
    pair.qualification = qualification
    return pair


def may_reset_password(actor: User, person: User) -> bool:
    """Whether `actor` may make a link by which `person` chooses a new password: whoever holds it becomes that person.

    So nobody gains a power they lack: the actor must be admin of every collection the person has a role in, and may
    reset neither themselves (a password change asks for the old one) nor whoever may do more on this installation.
    """
    if actor.pk == person.pk or not (actor.is_active and person.is_active) or person.is_superuser or person.is_staff:
        return False
    if person.may_create_collections and not may_create_collections(actor):
        return False
    belongs = set(Membership.objects.filter(user=person).values_list("collection", flat=True))
    leads = set(Membership.objects.filter(user=actor, role=Role.ADMIN).values_list("collection", flat=True))
    return bool(belongs) and belongs <= leads


def require_may_reset_password(actor: User, person: User) -> None:
    if not may_reset_password(actor, person):
        raise PermissionDenied("This account has rights beyond yours. Ask whoever runs this installation.")


_OF_RESEARCH = (
    Import.Kind.QRELS,
    Import.Kind.RUN,
    Import.Kind.VECTORS,
    Import.Kind.PAIRS,
    Import.Kind.EXPERIMENT,
    Import.Kind.CLICKS,
)


def importers_of(kind: str) -> frozenset[Role]:
    """Whose files of a kind go in: qrels, runs, vectors, pairs, experiments and clicks are the researcher's to bring
    too, all else the admin's."""
    return RESEARCH if kind in _OF_RESEARCH else ADMIN


def importable_kinds(user: Person, collection: Collection) -> list[str]:
    """The kinds of files that a person may bring and publish."""
    roles = roles_in(user, collection)
    return [kind for kind in Import.Kind.values if roles & importers_of(kind)]


def import_for(user: Person, slug: str, pk: int, *, change: bool = False) -> Import:
    """An import of the collection, to look at; with `change`, to publish or cancel."""
    collection = collection_for(user, slug, RESEARCH)
    imports = Import.objects.filter(collection=collection).select_related("created_by")
    record = _first(imports.filter(pk=pk), "import")
    if change and not roles_in(user, collection) & importers_of(record.kind):
        raise PermissionDenied("Your role in this collection does not allow this.")
    record.collection = collection
    return record


def job_for(user: Person, token: str, *, change: bool = False) -> Job:
    """A job of a collection where the person is admin or researcher, or one of their own; with `change`, to stop it."""
    if not user.is_authenticated:
        raise Http404("No such job.")
    own_or_shared = Q(collection=None, created_by=user) | Q(collection__in=collections_of(user))
    job = _first(Job.objects.filter(own_or_shared, token=token).select_related("collection", "created_by"), "job")
    if job.collection is not None:
        job.collection = collection_for(user, job.collection.slug, RESEARCH)
    if change and not may_stop(user, job):
        raise PermissionDenied("Your role in this collection does not allow this.")
    return job


def packing_for(user: Person, slug: str, token: str) -> Job:
    """The job that packs or has packed a collection into a bundle, for its admins: whoever has it knows the gold."""
    collection = collection_for(user, slug, ADMIN)
    job = _first(Job.objects.filter(collection=collection, kind="export_bundle", token=token), "bundle")
    job.collection = collection
    return job


def arrival_for(user: Person, token: str) -> Job:
    """The job that looks through a collection on its way in, for who has uploaded it."""
    job = Job.objects.filter(kind="check_bundle", token=token).select_related("created_by").first()
    if job is None or not user.is_authenticated or job.created_by != user:
        raise Http404("No such collection on its way in.")
    return job


def may_stop(user: Person, job: Job) -> bool:
    """Whether who may see the job may stop it: the work on an import is for those who may bring such files."""
    if job.collection is None:
        return True
    worked_on = Import.objects.filter(collection=job.collection, pk=job.payload.get("import"))
    kinds = worked_on.values_list("kind", flat=True)
    return all(roles_in(user, job.collection) & importers_of(kind) for kind in kinds)


def annotator_for(user: Person, slug: str, pseudonym: str, roles: Roles[str] = ADMIN) -> Annotator:
    """An annotator of a collection, for a person with one of `roles`."""
    collection = collection_for(user, slug, roles)
    annotator = _first(visible_annotators(collection).filter(pseudonym=pseudonym), "annotator")
    annotator.collection = collection
    return annotator


def appeal_for(user: Person, slug: str, token: str) -> Appeal:
    """What somebody objects to, for the admins of the collection."""
    collection = collection_for(user, slug, ADMIN)
    appeals = Appeal.objects.filter(collection=collection).select_related(
        "annotator",
        "topic",
        "document",
        "answered_by",
        "feedback__batch",
        "feedback__assignment__item__topic_version",
        "feedback__assignment__item__document_version",
    )
    appeal = _first(appeals.filter(token=token), "objection")
    appeal.collection = collection
    return appeal


def laid_pair_for(user: Person, slug: str, number: str, docno: str) -> Item:
    """The item in which a pair was laid out last, with its texts if it ever had them, for the collection's admins."""
    collection = collection_for(user, slug, ADMIN)
    laid = Item.objects.filter(
        laid_out(), batch__in=visible_batches(collection), topic__number=number, document__docno=docno
    )
    items = laid.select_related("topic", "document", "topic_version", "document_version", "scale")
    item = items.filter(topic_version__isnull=False, document_version__isnull=False).last() or items.last()
    if item is None:
        raise Http404("No such pair was laid out.")
    item.collection = collection
    return item


def snapshot_for(user: Person, slug: str, pk: int, roles: Roles[str] = RESEARCH) -> Snapshot:
    """A snapshot of a collection, for a person with one of `roles`."""
    collection = collection_for(user, slug, roles)
    snapshots = Snapshot.objects.filter(collection=collection)
    snapshots = snapshots.select_related("policy", "scale", "created_by", "brought_by")
    snapshot = _first(snapshots.filter(pk=pk), "snapshot")
    snapshot.collection = collection
    return snapshot
