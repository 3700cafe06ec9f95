"""Recipients of messages as commands, for whoever runs the installation."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.naming import add_collection, add_dry_run, attempt, collection_named, require_valid
from annotation.models import Recipient
from annotation.outgoing.forms import RecipientForm
from annotation.outgoing.read import deliveries_of, recipients_of
from annotation.outgoing.steps.allowed_addresses import OutgoingError
from annotation.outgoing.steps.messages import write_test
from annotation.outgoing.steps.recipients import add_recipient, end_recipient, secret_of

EXITS: Mapping[int, str] = MappingProxyType(
    {DONE: "done, or with --dry-run: would be done", REFUSED: "refused: messages go there already, or no more"}
)


class AddRecipient(TouchstoneCommand):
    help = "Add a recipient that the settings allow. Of a webhook the secret is on the output, now and never again."
    examples = (
        "touchstone outgoing add bees webhook https://hooks.example.org/touchstone",
        "touchstone outgoing add bees mail team@example.org --everything --dry-run",
    )
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("kind", choices=Recipient.Kind.values, help="what it is")
        add_address(parser)
        everything = "also what stands in the inboxes of those who lead; else alerts of series alone"
        parser.add_argument("--everything", action="store_true", help=everything)
        add_dry_run(parser)

    def handle(self, *, collection: str, kind: str, address: str, everything: bool, dry_run: bool, **_: object) -> None:
        here = collection_named(collection)
        form = RecipientForm({"kind": kind, "address": address, "everything": everything})
        require_valid(form)
        with attempt(OutgoingError, dry_run=dry_run):
            recipient = add_recipient(here, **form.cleaned_data, actor=None)
        secret = "" if dry_run or kind == Recipient.Kind.MAIL else secret_of(recipient)
        facts = {"address": address, "kind": kind, "secret": secret or None, "added": not dry_run}
        self.answer(secret or f"{'would be added' if dry_run else 'added'}: {address}", facts)


class EndRecipient(TouchstoneCommand):
    help = "Send no message to a recipient any more; those that wait are given up."
    examples = ("touchstone outgoing end bees https://hooks.example.org/touchstone",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        add_address(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, address: str, dry_run: bool, **_: object) -> None:
        recipient = recipient_named(collection, address)
        with attempt(OutgoingError, dry_run=dry_run):
            end_recipient(recipient, actor=None)
        self.answer(f"{'would end' if dry_run else 'ended'}: {address}", {"address": address, "ended": not dry_run})


class TryRecipient(TouchstoneCommand):
    help = "Write a message that tells of nothing; the worker sends it."
    examples = ("touchstone outgoing test bees team@example.org",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        add_address(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, address: str, dry_run: bool, **_: object) -> None:
        recipient = recipient_named(collection, address)
        with attempt(OutgoingError, dry_run=dry_run):
            delivery = write_test(recipient)
        facts = {"id": delivery.token, "address": address, "written": not dry_run}
        self.answer(f"{'would be written' if dry_run else 'written'}: {delivery.subject}", facts)


class ListOutgoing(TouchstoneCommand):
    help = "List the recipients of a collection's messages, and what became of the newest hundred."
    examples = ("touchstone outgoing list bees", "touchstone outgoing list bees --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_: object) -> None:
        here = collection_named(collection)
        recipients, deliveries = list(recipients_of(here)), list(deliveries_of(here)[:100])
        lines = [f"{each.kind} {each.address}{', ended' if each.ended_at else ''}" for each in recipients]
        lines += [
            f"{each.created_at:%Y-%m-%d %H:%M} {each.state} {each.recipient.address}: {each.subject}. {each.answer}"
            for each in deliveries
        ]
        facts: dict[str, Any] = {
            "recipients": [
                {
                    "kind": each.kind,
                    "address": each.address,
                    "everything": each.everything,
                    "ended": each.ended_at is not None,
                }
                for each in recipients
            ],
            "deliveries": [
                {
                    "id": each.token,
                    "address": each.recipient.address,
                    "subject": each.subject,
                    "state": each.state,
                    "tries": each.n_tries,
                    "answer": each.answer,
                }
                for each in deliveries
            ],
        }
        self.answer("\n".join(lines) or "no recipient", facts)


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {"add": AddRecipient, "list": ListOutgoing, "test": TryRecipient, "end": EndRecipient}
)


def add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", help="of a webhook (https://…), or a mail address")


def recipient_named(collection: str, address: str) -> Recipient:
    """The one that gets messages, else the one that got them last."""
    here = collection_named(collection)
    recipient = recipients_of(here).filter(address=address).order_by("-pk").first()
    if recipient is None:
        raise MisuseError(f"No message goes to {address} from this collection.")
    recipient.collection = here
    return recipient
