"""Members of a collection: who has which roles. The last admin stays."""

import secrets
from collections.abc import Set as AbstractSet

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.kernel.blocks import recount_blocks
from annotation.models import Annotator, Batch, Collection, Membership, Participation, Role, Slot, User

_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without those easily mistaken for another


class LastAdminError(Exception):
    """A collection without an admin could never be led again."""

    def __init__(self) -> None:
        super().__init__("A collection needs an admin. Make someone else admin first.")


@transaction.atomic
def add_role(collection: Collection, person: User, *, role: str, actor: User) -> bool:
    """Whether the role is new to the person. An annotator gets a pseudonym, and keeps it."""
    _, is_new = Membership.objects.get_or_create(collection=collection, user=person, role=role)
    if role == Role.ANNOTATOR:
        _ensure_annotator(collection, person)
    if is_new:
        record_audit("role added", actor=actor, collection=collection, subject=person.username, role=str(role))
    return is_new


@transaction.atomic
def change_roles(collection: Collection, person: User, *, roles: AbstractSet[str], actor: User) -> None:
    """Give the person exactly these roles, of which there is at least one. Raises `LastAdminError`."""
    if not roles:
        raise ValueError("a member has at least one role; remove_member ends a membership")
    current = _locked_roles(collection, person)
    for role in sorted(current - roles):
        _take_role(collection, person, role=role, actor=actor)
    for role in sorted(roles - current):
        add_role(collection, person, role=role, actor=actor)


@transaction.atomic
def remove_member(collection: Collection, person: User, *, actor: User) -> None:
    """Take every role. Judgments, pseudonym and record stay. Raises `LastAdminError`."""
    for role in sorted(_locked_roles(collection, person)):
        _take_role(collection, person, role=role, actor=actor)
    record_audit("member removed", actor=actor, collection=collection, subject=person.username)


def _locked_roles(collection: Collection, person: User) -> set[str]:
    """The person's roles, with the collection locked: two admins cannot remove each other at the same moment."""
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    return set(Membership.objects.filter(collection=collection, user=person).values_list("role", flat=True))


def _take_role(collection: Collection, person: User, *, role: str, actor: User) -> None:
    others = Membership.objects.filter(collection=collection, role=Role.ADMIN).exclude(user=person)
    if role == Role.ADMIN and not others.exists():
        raise LastAdminError
    Membership.objects.filter(collection=collection, user=person, role=role).delete()
    if role == Role.ANNOTATOR:
        _leave_batches(collection, person, actor=actor)
    record_audit("role removed", actor=actor, collection=collection, subject=person.username, role=role)


def _leave_batches(collection: Collection, person: User, *, actor: User) -> None:
    active = Participation.objects.filter(batch__collection=collection, annotator__user=person, is_active=True)
    for each in active.select_related("batch__collection", "annotator"):
        end_participation(each.batch, annotator=each.annotator, actor=actor)


@transaction.atomic
def end_participation(batch: Batch, *, annotator: Annotator, actor: User | None) -> bool:
    """Ordinary items reserved for the person become free for all; their judgments stay. False if they take no part."""
    if not Participation.objects.filter(batch=batch, annotator=annotator, is_active=True).update(is_active=False):
        return False
    _free_kept(batch, annotator)
    record_audit("annotator unassigned", actor=actor, collection=batch.collection, subject=str(annotator))
    return True


def _free_kept(batch: Batch, annotator: Annotator) -> None:
    """What somebody is claiming this moment stays as it is: whoever waited for it could hold blocks they wait for."""
    kept = Slot.objects.filter(batch=batch, reserved_for=annotator, transferable=True, state=Slot.State.OPEN)
    block_of = dict(kept.select_for_update(skip_locked=True).values_list("pk", "block"))
    Slot.objects.filter(pk__in=block_of).update(reserved_for=None, due=None, transferable=False)
    recount_blocks(batch, block_of.values())


def _ensure_annotator(collection: Collection, person: User) -> Annotator:
    return Annotator.objects.get_or_create(
        collection=collection, user=person, defaults={"pseudonym": _new_pseudonym(collection)}
    )[0]


def _new_pseudonym(collection: Collection) -> str:
    """Six random characters (8.9 × 10⁸ of them), free in the collection."""
    while True:
        pseudonym = "A-" + "".join(secrets.choice(_LETTERS) for _ in range(6))
        if not Annotator.objects.filter(collection=collection, pseudonym=pseudonym).exists():
            return pseudonym
