"""The people of a collection as commands: listed, invited, given roles, removed, let in again."""

import argparse
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.files import opened
from annotation.kernel.commands.naming import (
    add_actor,
    add_collection,
    add_dry_run,
    admin_named,
    collection_named,
    person_named,
    require_valid,
    trial,
)
from annotation.management.addressing import add_address, link_to
from annotation.models import Collection, Invitation, Membership, Role, User
from annotation.people.forms import InvitationsForm
from annotation.people.read.members import members_of, open_invitations
from annotation.people.steps.accounts import LINK_DAYS, make_password_link
from annotation.people.steps.invitations import INVITATION_DAYS, make_invitations, withdraw_invitation
from annotation.people.steps.members import LastAdminError, change_roles, remove_member
from annotation.text.counted import counted

LAST_ADMIN = "A collection needs an admin. Make someone else admin first."
EXITS: Mapping[int, str] = MappingProxyType(
    {DONE: "done, or with --dry-run: could be done", REFUSED: "refused: a collection keeps its last admin"}
)


class ListPeople(TouchstoneCommand):
    help = "List who belongs to a collection, with which roles, and who is invited."
    examples = ("touchstone people list bees", "touchstone people list bees --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        listed = collection_named(collection)
        members, open_ones = members_of(listed), open_invitations(listed)
        words = [
            *(f"{one.person}: {', '.join(one.roles)}{f' as {one.pseudonym}' * bool(one.pseudonym)}" for one in members),
            *(f"invitation {one.pk}: {one.role}, until {one.expires_at:%Y-%m-%d} {one.note}" for one in open_ones),
        ]
        facts = {
            "members": [
                {
                    "name": one.person.username,
                    "roles": one.roles,
                    "pseudonym": one.pseudonym,
                    "last_activity": one.last_activity.isoformat() if one.last_activity else None,
                }
                for one in members
            ],
            "invitations": [_as_facts(one) for one in open_ones],
        }
        self.answer("\n".join(map(str.rstrip, words)), facts)


class InvitePeople(TouchstoneCommand):
    help = "Make invitations: links that each work once. They are shown now and kept nowhere."
    examples = (
        "touchstone people invite bees --count 20 --days 30",
        "touchstone people invite bees --role researcher --note Ada --note Grace --address https://judge.example.org",
        "touchstone people invite bees --notes names.txt --json",
    )
    exits: Mapping[int, str] = MappingProxyType({DONE: "the links are on the output"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("--role", choices=Role.values, default=Role.ANNOTATOR.value, help="default: %(default)s")
        parser.add_argument("--count", type=int, help="how many links; one, if nothing says more")
        parser.add_argument("--note", action="append", default=[], help="whom a link is for, as often as wanted")
        parser.add_argument("--notes", metavar="FILE", help="whom the links are for, one a line; - the standard input")
        parser.add_argument("--days", type=int, default=INVITATION_DAYS, help="until they expire; default: %(default)s")
        add_actor(parser)
        add_address(parser)
        add_dry_run(parser)

    def handle(
        self,
        *,
        collection: str,
        note: list[str],
        notes: str | None,
        actor: str | None,
        address: str,
        dry_run: bool,
        **options: Any,
    ) -> None:
        target = collection_named(collection)
        person, names = admin_named(target, actor), [*note, *(_lines(notes) if notes else [])]
        entered = {name: options[name] for name in ("role", "count", "days")}
        form = InvitationsForm({**entered, "notes": "\n".join(names)})
        require_valid(form)
        chosen = {name: form.cleaned_data[name] for name in ("role", "notes", "days")}
        with trial(dry_run=dry_run):
            pairs = make_invitations(target, **chosen, actor=person)
        if dry_run:
            self.answer(f"would be made: {counted(len(pairs), 'invitation')}", {"stored": False, "n": len(pairs)})
            return
        rows = [(one, link_to("invitation", secret, address)) for one, secret in pairs]
        words = "\n".join(f"{link} {one.note}".rstrip() for one, link in rows)
        self.answer(words, {"stored": True, "invitations": [{**_as_facts(one), "link": link} for one, link in rows]})


class WithdrawInvitation(TouchstoneCommand):
    help = "Withdraw an invitation: its link does not work any more."
    examples = ("touchstone people withdraw bees 12",)
    exits: Mapping[int, str] = MappingProxyType({DONE: "withdrawn", REFUSED: "it was used or withdrawn before"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("number", type=int, help="of the invitation, as `people list` has it")
        add_actor(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, number: int, actor: str | None, dry_run: bool, **_options: object) -> None:
        target = collection_named(collection)
        person = admin_named(target, actor)
        invitation = Invitation.objects.select_related("collection").filter(collection=target, pk=number).first()
        if invitation is None:
            raise MisuseError(f"There is no invitation {number} in this collection.")
        with trial(dry_run=dry_run):
            if not withdraw_invitation(invitation, actor=person):
                raise RefusedError("That invitation was used or withdrawn before.")
        words = f"{'would be withdrawn' if dry_run else 'withdrawn'}: {number}"
        self.answer(words, {"number": number, "stored": not dry_run})


class GiveRoles(TouchstoneCommand):
    help = "Give a member exactly these roles. Who is no member yet is invited."
    examples = ("touchstone people role bees ada researcher annotator",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("person", help="the username")
        parser.add_argument("role", nargs="+", choices=Role.values, help="all the roles that they are to have")
        add_actor(parser)
        add_dry_run(parser)

    def handle(
        self, *, collection: str, person: str, role: Sequence[str], actor: str | None, dry_run: bool, **_: object
    ) -> None:
        target = collection_named(collection)
        admin, member = admin_named(target, actor), _member_named(target, person)
        try:
            with trial(dry_run=dry_run):
                change_roles(target, member, roles=set(role), actor=admin)
        except LastAdminError as error:
            raise RefusedError(LAST_ADMIN) from error
        words = f"{person} {'would be' if dry_run else 'is'} {', '.join(sorted(set(role)))}"
        self.answer(words, {"name": person, "roles": sorted(set(role)), "stored": not dry_run})


class RemovePerson(TouchstoneCommand):
    help = "Take every role of a person. Their judgments, pseudonym and record stay."
    examples = ("touchstone people remove bees ada",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("person", help="the username")
        add_actor(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, person: str, actor: str | None, dry_run: bool, **_options: object) -> None:
        target = collection_named(collection)
        admin, member = admin_named(target, actor), _member_named(target, person)
        try:
            with trial(dry_run=dry_run):
                remove_member(target, member, actor=admin)
        except LastAdminError as error:
            raise RefusedError(LAST_ADMIN) from error
        words = f"{person} {'would have' if dry_run else 'has'} no role in {target.slug} any more"
        self.answer(words, {"name": person, "roles": [], "stored": not dry_run})


class PasswordLink(TouchstoneCommand):
    """Also for a person whom no admin may let in: one who belongs to collections of several admins."""

    help = "Print a one-time link by which a person chooses a new password, for whoever runs this installation."
    examples = ("touchstone people password-link ada --address https://judge.example.org",)
    exits: Mapping[int, str] = MappingProxyType({DONE: "the link is on the output"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="the username")
        add_address(parser)
        add_dry_run(parser)

    def handle(self, *, name: str, address: str, dry_run: bool, **_options: object) -> None:
        with trial(dry_run=dry_run):
            secret = make_password_link(person_named(name), actor=None, collection=None)
        if dry_run:
            self.answer(f"would be made: a link for {name}", {"name": name, "stored": False})
            return
        link = link_to("password_link", secret, address)
        words = f"To choose a new password, once, within {LINK_DAYS} days:\n{link}"
        self.answer(words, {"name": name, "link": link, "days": LINK_DAYS, "stored": True})


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {
        "list": ListPeople,
        "invite": InvitePeople,
        "withdraw": WithdrawInvitation,
        "role": GiveRoles,
        "remove": RemovePerson,
        "password-link": PasswordLink,
    }
)


def _member_named(collection: Collection, name: str) -> User:
    membership = Membership.objects.filter(collection=collection, user__username=name).select_related("user").first()
    if membership is None:
        raise MisuseError(f"{name} is no member of {collection.slug}: invite them.")
    return membership.user


def _as_facts(invitation: Invitation) -> dict[str, object]:
    return {
        "number": invitation.pk,
        "role": invitation.role,
        "note": invitation.note,
        "expires_at": invitation.expires_at.isoformat(),
    }


def _lines(file: str) -> list[str]:
    with opened(file) as stream:
        return stream.read().decode("utf-8-sig", "replace").splitlines()
