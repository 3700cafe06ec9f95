"""A way back in for a person whom no admin may let in: one who belongs to collections of several admins."""

import argparse

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from annotation.management.addressing import add_address
from annotation.models import User
from annotation.people.steps import LINK_DAYS, make_password_link


class Command(BaseCommand):
    help = "Print a one-time link by which a person chooses a new password."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="the username")
        add_address(parser)

    def handle(self, *, name: str, address: str, **_options: object) -> None:
        person = User.objects.filter(username=name, is_active=True).first()
        if person is None:
            raise CommandError(f"There is no open account {name}.")
        secret = make_password_link(person, actor=None, collection=None)
        self.stdout.write(
            f"To choose a new password, once, within {LINK_DAYS} days:\n"
            f"{address.rstrip('/')}{reverse('password_link', args=[secret])}"
        )
