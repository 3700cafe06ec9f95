"""The first account of an installation, and a way back in for whoever runs it."""

import argparse

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.urls import reverse

from annotation.management.addressing import add_address
from annotation.models import User
from annotation.people.steps import LINK_DAYS, allow_creating_collections, create_account, make_sign_in_link


class Command(BaseCommand):
    help = "Make an account that may create collections, or let one in again; prints a one-time sign-in link."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="the username; made if there is none")
        add_address(parser)

    def handle(self, *, name: str, address: str, **_options: object) -> None:
        with transaction.atomic():
            person = User.objects.filter(username=name).first() or _new_person(name)
            if not person.is_active:
                raise CommandError(f"The account {name} is closed.")
            allow_creating_collections(person)
            secret = make_sign_in_link(person)
        self.stdout.write(
            f"{name} may create collections. To sign in, once, within {LINK_DAYS} days:\n"
            f"{address.rstrip('/')}{reverse('sign_in_link', args=[secret])}"
        )


def _new_person(name: str) -> User:
    try:
        User(username=name).clean_fields(exclude=["password"])
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error
    return create_account(name)
