"""Whether this machine belongs to its installation; and that its key and files are meant to be the installation's."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from annotation.kernel.audit import record_audit
from annotation.kernel.commands.base import DONE, REFUSED, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import add_dry_run
from annotation.kernel.installation import adopt_installation, has_key, lead_of_clock, sees_files, words_of_lead


class Command(TouchstoneCommand):
    help = (
        "Say whether this machine sees the stored files of the installation, has its secret key, and how far its clock "
        "is from the database's. With --adopt the key and the folder of files of this machine become those of the "
        "installation: after a deliberate change of either. The other machines start again only with the same."
    )
    examples = ("touchstone installation --json", "touchstone installation --adopt")
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "this machine belongs to the installation", REFUSED: "it does not: files or key are others"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--adopt", action="store_true", help="take the key and the files of this machine for right")
        add_dry_run(parser)

    def handle(self, *, adopt: bool, dry_run: bool, **_options: object) -> None:
        if adopt and not dry_run:
            adopt_installation()
            record_audit("installation adopted", actor=None, collection=None, subject="")
        outcome = {"files": sees_files(), "key": has_key(), "clock_ahead_seconds": lead_of_clock().total_seconds()}
        would = adopt and dry_run
        words = [
            f"stored files: {'here' if outcome['files'] else 'not here'}",
            f"secret key: {'the same' if outcome['key'] else 'another'}",
            f"clock: {words_of_lead(lead_of_clock())}",
            *(["both of this machine would become those of the installation"] if would else []),
        ]
        self.answer("\n".join(words), outcome)
        if not (would or (outcome["files"] and outcome["key"])):
            raise RefusedError("This machine does not belong to the installation.")
