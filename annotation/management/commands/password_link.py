"""`people password-link` for a person whom no admin may let in: one who belongs to collections of several admins."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from annotation.kernel.commands.base import DONE, TouchstoneCommand
from annotation.kernel.commands.naming import person_named
from annotation.management.addressing import add_address, link_to
from annotation.people.steps import LINK_DAYS, make_password_link


class Command(TouchstoneCommand):
    help = "Print a one-time link by which a person chooses a new password, for whoever runs this installation."
    examples = ("touchstone password_link ada --address https://judge.example.org",)
    exits: Mapping[int, str] = MappingProxyType({DONE: "the link is on the output"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="the username")
        add_address(parser)

    def handle(self, *, name: str, address: str, **_options: object) -> None:
        secret = make_password_link(person_named(name), actor=None, collection=None)
        link = link_to("password_link", secret, address)
        words = f"To choose a new password, once, within {LINK_DAYS} days:\n{link}"
        self.answer(words, {"name": name, "link": link, "days": LINK_DAYS})
