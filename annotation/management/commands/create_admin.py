"""The first account of an installation, and a way back in for whoever runs it."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import add_dry_run, trial
from annotation.management.addressing import add_address, link_to
from annotation.models import User
from annotation.people.steps.accounts import LINK_DAYS, allow_creating_collections, create_account, make_sign_in_link


class Command(TouchstoneCommand):
    help = "Make an account that may create collections, or let one in again; prints a one-time sign-in link."
    examples = ("touchstone create_admin lead --address https://judge.example.org",)
    exits: Mapping[int, str] = MappingProxyType({DONE: "the link is on the output", REFUSED: "the account is closed"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="the username; made if there is none")
        add_address(parser)
        add_dry_run(parser)

    def handle(self, *, name: str, address: str, dry_run: bool, **_options: object) -> None:
        with trial(dry_run=dry_run), transaction.atomic():
            person = User.objects.filter(username=name).first() or _new_person(name)
            if not person.is_active:
                raise RefusedError(f"The account {name} is closed.")
            allow_creating_collections(person)
            secret = make_sign_in_link(person)
        if dry_run:
            self.answer(f"{name} could create collections", {"name": name, "stored": False})
            return
        link = link_to("sign_in_link", secret, address)
        words = f"{name} may create collections. To sign in, once, within {LINK_DAYS} days:\n{link}"
        self.answer(words, {"name": name, "link": link, "days": LINK_DAYS, "stored": True})


def _new_person(name: str) -> User:
    try:
        User(username=name).clean_fields(exclude=["password"])
    except ValidationError as error:
        raise MisuseError(" ".join(error.messages)) from error
    return create_account(name)
