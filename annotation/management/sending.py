"""Pairs sent to those who decide, as a command."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.utils import timezone

from annotation.formats.pairs import read_pairs
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_actor,
    add_collection,
    add_dry_run,
    add_reason,
    admin_named,
    cleaned,
    collection_named,
    trial,
)
from annotation.review.forms.adjudication import SendForm
from annotation.review.steps.adjudication import send_pairs


class SendPairs(TouchstoneCommand):
    help = "Send judged pairs to those who decide, whatever the policy makes of them."
    examples = (
        "touchstone adjudicate send bees --pair 7 d1 --pair 7 d2 --reason 'The topic is read in two ways'",
        "touchstone adjudicate send bees --file pairs.txt --reason 'Found by our linter' --dry-run --json",
    )

    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "done, or with --dry-run: could be done", REFUSED: "refused: on none of the pairs is anything to decide"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        words = "a pair by its topic and document, as often as wanted"
        parser.add_argument("--pair", nargs=2, action="append", default=[], metavar=("TOPIC", "DOCNO"), help=words)
        parser.add_argument("--file", type=Path, help="a file of pairs: a topic and a document in each line")
        add_reason(parser)
        add_actor(parser)
        add_dry_run(parser)

    def handle(
        self, *, collection: str, pair: list[list[str]], file: Path | None, actor: str | None, **options: Any
    ) -> None:
        here = collection_named(collection)
        person = admin_named(here, actor)
        pairs = [*((number, docno) for number, docno in pair), *(_pairs_of(file) if file else [])]
        if not pairs:
            raise MisuseError("Name a pair with --pair, or a file of them with --file.")
        reason = cleaned(SendForm, "reason", options["reason"], "--reason")
        with trial(dry_run=options["dry_run"]):
            sending = send_pairs(here, pairs, reason=reason, actor=person, moment=timezone.now())
        if sending.nothing_to_decide:
            raise RefusedError(sending.words)
        facts = {"sent": len(sending.sent), "already": sending.already, "decided": sending.decided}
        self.answer(sending.words, {**facts, "unfit": sending.unfit, "stored": not options["dry_run"]})


def _pairs_of(file: Path) -> Sequence[tuple[str, str]]:
    problems = Problems(file.name)
    try:
        with file.open("rb") as stream:
            rows = [(row.number, row.docno) for row in read_pairs(stream, problems)]
        problems.check()
    except OSError as error:
        raise MisuseError(f"{file} cannot be read: {error.strerror}.") from error
    except FormatError as error:
        raise RefusedError(f"Nothing was sent: {file} is no list of pairs.", problems=error.problems) from error
    return rows
