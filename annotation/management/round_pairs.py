"""The pairs of a qualification round as commands: added by hand or from gold, changed, moved, removed."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.batches.forms.qualifications import PairForm, TaughtForm
from annotation.batches.read.qualifications import gold_to_choose, pairs_of
from annotation.batches.steps import qualifications as flow
from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_collection,
    add_dry_run,
    attempt,
    collection_named,
    require_valid,
)
from annotation.management.naming import round_named
from annotation.models import GoldEvent, Qualification, QualificationItem

TAUGHT = ("accepted", "hint", "explanation")


class PairDeed(TouchstoneCommand):
    """A subclass does something with one pair of a draft."""

    verb = ""
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "done, or with --dry-run: could be done",
            REFUSED: "refused: the round is no draft, or has the pair already; nothing was changed",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("round_name", metavar="ROUND", help="the round by its name, a draft")
        parser.add_argument("topic", metavar="TOPIC", help="the topic by its number")
        parser.add_argument("document", metavar="DOCNO", help="the document")
        add_dry_run(parser)

    def change(self, chosen: Qualification, options: Mapping[str, Any]) -> None:
        """Raises `MisuseError` and `QualificationError`."""
        raise NotImplementedError

    def handle(self, *, collection: str, round_name: str, dry_run: bool, **options: Any) -> None:
        chosen = round_named(collection_named(collection), round_name)
        with attempt(flow.QualificationError, dry_run=dry_run):
            self.change(chosen, options)
            n_pairs = pairs_of(chosen).count()
        verb = f"would be {self.verb}" if dry_run else self.verb
        words = f"{verb}: topic {options['topic']}, document {options['document']}; pairs: {n_pairs}"
        facts = {"round": chosen.name, "number": options["topic"], "docno": options["document"], "n_pairs": n_pairs}
        self.answer(words, {**facts, "stored": not dry_run})


class AddPair(PairDeed):
    help = "Add a pair to a draft, with what it teaches; --gold takes what is known of it as gold."
    examples = (
        "touchstone qualification add bees training 7 d1 --accepted 2 --accepted 3 --hint 'Look at the date'",
        "touchstone qualification add bees training 7 d2 --gold --dry-run",
    )
    verb = "added"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        _add_taught(parser)
        parser.add_argument("--gold", action="store_true", help="the grades that count as right for it as gold")

    def change(self, chosen: Qualification, options: Mapping[str, Any]) -> None:
        if options["gold"]:
            flow.copy_gold(chosen, events=[_gold(chosen, options)])
            return
        here = chosen.collection
        topics, documents = current_topic_versions(here), current_document_versions(here)
        pair = {"number": options["topic"], "docno": options["document"]}
        taught = {"accepted": options["accepted"] or [], "hint": options["hint"] or ""}
        entered = {**pair, **taught, "explanation": options["explanation"] or ""}
        form = PairForm(entered, scale=chosen.scale, topics=topics, documents=documents)
        require_valid(form)
        flow.add_pair(chosen, **form.cleaned_data)


class ChangePair(PairDeed):
    help = "Change what a pair of a draft teaches; what is not named stays as it is."
    examples = ("touchstone qualification change bees training 7 d1 --accepted 3 --explanation 'It names the year'",)
    verb = "changed"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        _add_taught(parser)

    def change(self, chosen: Qualification, options: Mapping[str, Any]) -> None:
        item = _pair(chosen, options)
        wanted = {name: options[name] for name in TAUGHT if options[name] is not None}
        if not wanted:
            raise MisuseError("Say what to change: --accepted, --hint or --explanation.")
        form = TaughtForm({name: getattr(item, name) for name in TAUGHT} | wanted, scale=chosen.scale)
        require_valid(form)
        flow.change_pair(item, **form.cleaned_data)


class MovePair(PairDeed):
    help = "Move a pair of a draft one place up or down; the first and the last stay where they are."
    examples = ("touchstone qualification move bees training 7 d1 up",)
    verb = "moved"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("way", choices=["up", "down"], help="where to")

    def change(self, chosen: Qualification, options: Mapping[str, Any]) -> None:
        flow.move_pair(_pair(chosen, options), down=options["way"] == "down")


class RemovePair(PairDeed):
    help = "Take a pair out of a draft."
    examples = ("touchstone qualification remove bees training 7 d1",)
    verb = "removed"

    def change(self, chosen: Qualification, options: Mapping[str, Any]) -> None:
        flow.remove_pair(_pair(chosen, options))


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {"add": AddPair, "change": ChangePair, "move": MovePair, "remove": RemovePair}
)


def _add_taught(parser: argparse.ArgumentParser) -> None:
    words = "a grade that is right, as often as wanted"
    parser.add_argument("--accepted", action="append", metavar="GRADE", help=words)
    parser.add_argument("--hint", help="shown with the pair: what to look for")
    parser.add_argument("--explanation", help="shown after the answer: why this grade and no other")


def _pair(chosen: Qualification, options: Mapping[str, Any]) -> QualificationItem:
    names = {"topic_version__topic__number": options["topic"], "document_version__document__docno": options["document"]}
    item = pairs_of(chosen).filter(**names).first()
    if item is None:
        raise MisuseError(f"Topic {options['topic']}, document {options['document']}: not in this round.")
    item.qualification = chosen
    return item


def _gold(chosen: Qualification, options: Mapping[str, Any]) -> GoldEvent:
    names = {"topic__number": options["topic"], "document__docno": options["document"]}
    event = gold_to_choose(chosen).filter(**names).first()
    if event is None:
        pair = f"Topic {options['topic']}, document {options['document']}"
        raise MisuseError(f"{pair}: is no gold with texts here, or is in the round.")
    return event
