"""What commands name: a collection, what is in it, and whoever does the deed."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import Form

from annotation.kernel.commands.base import MisuseError, RefusedError
from annotation.models import Collection, Membership, Role, Snapshot, User

Row = TypeVar("Row")
TAKEN = "taken"  # the code of a form's error for a name that something else has


def add_collection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("collection", help="the collection's short name, as in its address")


def add_actor(parser: argparse.ArgumentParser, otherwise: str = "the only admin of the collection") -> None:
    parser.add_argument("--as", dest="actor", metavar="NAME", help=f"the account that does it; without it, {otherwise}")


def add_dry_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dry-run", action="store_true", help="try it and change nothing; the exit code is that of doing it"
    )


@contextmanager
def trial(*, dry_run: bool) -> Iterator[None]:
    """What is done inside is undone where it is only tried."""
    with transaction.atomic() if dry_run else nullcontext():
        yield
        if dry_run:
            transaction.set_rollback(True)


@contextmanager
def attempt(*errors: type[Exception], dry_run: bool) -> Iterator[None]:
    """As `trial`; each of the errors is a refusal, in its own words."""
    try:
        with trial(dry_run=dry_run):
            yield
    except errors as error:
        raise RefusedError(str(error)) from error


def add_reason(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reason", required=True, help="why; it stays in the record")


def collection_named(slug: str) -> Collection:
    collection = Collection.objects.select_related("scale", "guideline").filter(slug=slug).first()
    if collection is None:
        raise MisuseError(f"There is no collection {slug}.")
    return collection


def admin_named(collection: Collection, name: str | None) -> User:
    """The account that acts, an admin of the collection; without a name, its only one."""
    admins = User.objects.filter(
        memberships__in=Membership.objects.filter(collection=collection, role=Role.ADMIN), is_active=True
    )
    if name is not None:
        admins = admins.filter(username=name)
    people = list(admins.order_by("username")[:2])
    if not people:
        who = f"{name} is no admin" if name else "Nobody is an admin"
        raise MisuseError(f"{who} of {collection.slug}: name one with --as.")
    if len(people) > 1:
        raise MisuseError(f"{collection.slug} has several admins: choose one with --as.")
    return people[0]


def leader_named(username: str | None, option: str = "--admin") -> User:
    """Who is to lead the collection: the person named, else the only one who may create collections."""
    people = User.objects.filter(is_active=True)
    people = people.filter(username=username) if username else people.filter(may_create_collections=True)
    leaders = list(people[:2])
    if not leaders and username:
        raise MisuseError(f"There is no account {username}.")
    if not leaders:
        raise MisuseError("A collection needs an admin: make one with manage.py create_admin.")
    if len(leaders) > 1:
        raise MisuseError(f"Several accounts may create collections: choose one with {option}.")
    return leaders[0]


def person_named(name: str) -> User:
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None:
        raise MisuseError(f"There is no open account {name}.")
    return person


def snapshot_named(collection: Collection, name: str) -> Snapshot:
    snapshots = Snapshot.objects.select_related("scale", "collection")
    snapshot = snapshots.filter(collection=collection, name=name).first()
    if snapshot is None:
        raise MisuseError(f"There is no snapshot {name} in this collection.")
    return snapshot


def named(noun: str, names: Sequence[str] | None, here: Mapping[str, Row]) -> list[Row]:
    """Those of these names; without names, all."""
    unknown = [name for name in names or () if name not in here]
    if unknown:
        raise MisuseError(f"There is no {noun} {unknown[0]} in this collection.")
    return [here[name] for name in names or here]


def faults_of(form: Form) -> str:
    """The errors of a form, one a line, under the names of its fields."""
    faults = form.errors.get_json_data()
    return "\n".join(f"{field}: {each['message']}" for field, those in faults.items() for each in those)


def cleaned(form: type[Form], field: str, value: object, name: str) -> Any:
    """The value as a field of the form takes it; ends the command for one that it does not take. `name`: what the
    command calls it."""
    try:
        return form.base_fields[field].clean(value)
    except ValidationError as error:
        raise MisuseError(f"{name}: {' '.join(error.messages)}") from error


def require_valid(form: Form) -> None:
    """Ends the command for a form with errors: refused where all that is wrong is a name that is taken."""
    if form.is_valid():
        return
    codes = {fault.code for faults in form.errors.as_data().values() for fault in faults}
    raise RefusedError(faults_of(form)) if codes == {TAKEN} else MisuseError(faults_of(form))
