"""The last word on contested pairs as commands: the queue, one pair from the blind grade to the decision.

As on the page, nothing of what people said is shown before the person has given their own grade, or
has asked to see it without one, which the decision then says.
"""

import argparse
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from django.http import Http404, QueryDict
from django.utils import timezone

from annotation.kernel.access import laid_pair_for
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_actor,
    add_collection,
    add_dry_run,
    add_reason,
    admin_named,
    attempt,
    cleaned,
    collection_named,
    require_valid,
    trial,
)
from annotation.management.naming import batches_named
from annotation.management.pair_words import pair_facts, pair_words
from annotation.management.sending import SendPairs
from annotation.models import Collection, Item, User
from annotation.review.forms.adjudication import QueueForm, WithdrawalForm
from annotation.review.pages.contested_tables import DECISIONS
from annotation.review.read.adjudication import WaitingPairs, decisions_of, waiting_for
from annotation.review.steps import adjudication as flow
from annotation.trust.read.policies import DEFAULT, policies_of, policy_named
from annotation.trust.read.withheld import judged_batches

EXITS: Mapping[int, str] = MappingProxyType(
    {
        DONE: "done, or with --dry-run: could be done",
        REFUSED: "refused: somebody else has the pair or has decided, or your own grade is missing",
    }
)


class ListContested(TouchstoneCommand):
    help = "List the contested pairs that wait for a decision, in the order of the queue. No grades."
    examples = (
        "touchstone adjudicate list bees",
        "touchstone adjudicate list bees --policy 'default v1' --why wide --topic 7 --json",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_queue(parser)

    def handle(self, *, collection: str, actor: str | None, **options: Any) -> None:
        here = collection_named(collection)
        rows = [
            {
                "number": row.number,
                "docno": row.docno,
                "why": row.why,
                "n_people": row.n_people,
                "held_by": row.holder,
                "left": row.left,
                "sent_by": row.sender,
                "sent_because": row.because,
            }
            for row in _waiting(here, admin_named(here, actor), options)
        ]
        words = [f"{row['number']} {row['docno']}: {', '.join(row['why'])}" for row in rows]  # type: ignore[arg-type]
        self.answer("\n".join(words) or "no pair waits", rows)


class ListDecisions(TouchstoneCommand):
    help = "List every decision on a pair, the earlier first, those revised since, too."
    examples = ("touchstone adjudicate decisions bees --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        rows = [
            {column.name: column.get(each) for column in DECISIONS}
            for each in decisions_of(collection_named(collection))
        ]
        words = [f"{row['number']} {row['docno']}: {row['action']} {row['grade']}: {row['reason']}" for row in rows]
        self.answer("\n".join(words) or "no decision", rows)


class NextPair(TouchstoneCommand):
    help = "Have the first pair of the queue to yourself, for half an hour, that nobody else has."
    examples = ("touchstone adjudicate next bees --as lead",)
    exits: Mapping[int, str] = MappingProxyType({DONE: "the pair is yours", REFUSED: "refused: no pair waits"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_queue(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, actor: str | None, dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        person, moment = admin_named(here, actor), timezone.now()
        with trial(dry_run=dry_run):
            item = flow.open_next(here, _waiting(here, person, options).pairs(), reader=person, moment=moment)
            if item is None:
                raise RefusedError("No pair waits for you.")
            self.answer(pair_words(item, person), pair_facts(item, person))


class PairCommand(TouchstoneCommand):
    """A subclass does something with one pair, or shows it alone."""

    change: Callable[..., object] | None = None
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("topic", metavar="TOPIC", help="the topic by its number")
        parser.add_argument("document", metavar="DOCNO", help="the document")
        add_actor(parser)
        if self.change is not None:
            add_dry_run(parser)

    def values(self, person: User, options: Mapping[str, Any]) -> dict[str, Any]:
        """What the change takes besides the pair."""
        return {"reader": person, "moment": timezone.now()}

    def handle(
        self, *, collection: str, topic: str, document: str, actor: str | None, dry_run: bool = False, **options: Any
    ) -> None:
        here = collection_named(collection)
        person = admin_named(here, actor)
        item = _pair(here, person, topic, document)
        with attempt(flow.AdjudicationError, dry_run=dry_run):
            if type(self).change is not None:
                type(self).change(item, **self.values(person, options))  # type: ignore[misc]
            facts, words = pair_facts(item, person), pair_words(item, person)
        self.answer(words, {**facts, "stored": not dry_run} if self.change is not None else facts)


class ShowPair(PairCommand):
    help = "Show a pair to decide on; what people said of it only once you have graded it blind, or looked."
    examples = ("touchstone adjudicate show bees 7 d1 --json",)


class OpenPair(PairCommand):
    help = "Have a pair to yourself for half an hour."
    examples = ("touchstone adjudicate open bees 7 d1 --as lead",)
    change = staticmethod(flow.open_pair)


class GradeBlind(PairCommand):
    help = "Keep your own grade, from before you see anybody's; then what people said is shown. It is never changed."
    examples = ("touchstone adjudicate blind bees 7 d1 2 --as lead",)
    change = staticmethod(flow.grade_blind)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("grade", type=int, help="a grade of the scale")

    def values(self, person: User, options: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().values(person, options), "grade": options["grade"]}


class LookAtPair(PairCommand):
    help = "See what people said without a grade of your own; your decision is then marked as not blind."
    examples = ("touchstone adjudicate look bees 7 d1 --as lead",)
    change = staticmethod(flow.look_at_pair)


class LeavePair(PairCommand):
    help = "Give a pair back, for others to decide on."
    examples = ("touchstone adjudicate leave bees 7 d1 --as lead",)
    change = staticmethod(flow.leave_pair)

    def values(self, person: User, options: Mapping[str, Any]) -> dict[str, Any]:
        return {"reader": person}


class DecidingCommand(PairCommand):
    """A subclass adds a line to the decisions on a pair."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        add_reason(parser)
        words = "how many decisions there were when you looked, as `adjudicate show` says it"
        parser.add_argument("--based-on", type=int, required=True, metavar="N", help=words)

    def values(self, person: User, options: Mapping[str, Any]) -> dict[str, Any]:
        reason = cleaned(WithdrawalForm, "reason", options["reason"], "--reason")
        return {"reason": reason, "based_on": options["based_on"], "actor": person, "moment": timezone.now()}


class DecidePair(DecidingCommand):
    help = "Decide on a pair, with a reason, once you have graded it blind, or looked."
    examples = (
        "touchstone adjudicate decide bees 7 d1 2 --based-on 0 --reason 'It answers half of the question'",
        "touchstone adjudicate decide bees 7 d1 2 --based-on 0 --reason 'Half of it' --dry-run --json",
    )
    change = staticmethod(flow.decide)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("grade", type=int, help="a grade of the scale")

    def values(self, person: User, options: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().values(person, options), "grade": options["grade"]}


class WithdrawDecision(DecidingCommand):
    help = "Take the decision on a pair back, with a reason: it is left to its judgments."
    examples = ("touchstone adjudicate withdraw bees 7 d1 --based-on 1 --reason 'Read it again'",)
    change = staticmethod(flow.withdraw_decision)


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {
        "list": ListContested,
        "send": SendPairs,
        "next": NextPair,
        "show": ShowPair,
        "open": OpenPair,
        "blind": GradeBlind,
        "look": LookAtPair,
        "leave": LeavePair,
        "decide": DecidePair,
        "withdraw": WithdrawDecision,
        "decisions": ListDecisions,
    }
)


def _pair(collection: Collection, person: User, number: str, docno: str) -> Item:
    try:
        return laid_pair_for(person, collection.slug, number, docno)
    except Http404 as error:
        raise MisuseError(f"Topic {number}, document {docno}: no such pair was laid out.") from error


def _add_queue(parser: argparse.ArgumentParser) -> None:
    add_collection(parser)
    parser.add_argument("--batch", action="append", help="a batch by its name, as often as wanted; all, if none")
    parser.add_argument("--policy", default=DEFAULT, help='"NAME", its newest version, or "NAME v2"')
    parser.add_argument("--posterior", metavar="POLICY", default="", help="a policy with a posterior: a second opinion")
    parser.add_argument("--below", default="", metavar="SHARE", help="unsure below so high a confidence (default: 0.7)")
    parser.add_argument("--wide", default="", metavar="STEPS", help="steps that make a range wide (default: 3)")
    parser.add_argument("--why", default="", help="apart, no_grade, few, wide, unsure, cannot or flagged alone")
    parser.add_argument("--topic", default="", help="those of a topic alone, by its number")
    add_actor(parser)


def _waiting(collection: Collection, person: User, options: Mapping[str, Any]) -> WaitingPairs:
    policies, data = policies_of(collection), QueryDict(mutable=True)
    data.setlist("batch", [each.token for each in batches_named(collection, options["batch"])])
    policy = policy_named(policies, options["policy"])
    if policy is None:
        raise MisuseError(f"There is no policy {options['policy']}.")
    second = policy_named(policies, options["posterior"])
    data["policy"], data["posterior"] = str(policy), str(second) if second else options["posterior"]
    data["below"], data["wide"] = options["below"], options["wide"]
    choice = QueueForm(data, batches=judged_batches(collection), policies=policies)
    require_valid(choice)
    query = {"reason": options["why"], "topic": options["topic"]}
    try:
        return waiting_for(person, collection, choice, query, moment=timezone.now())
    except ValueError as error:
        raise RefusedError(str(error)) from error
