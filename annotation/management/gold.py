"""Gold by hand and from imported qrels, as commands. A change that touches people is confirmed."""

import argparse
import secrets
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.formats.problems import FormatError
from annotation.gold.read.current import GoldChange
from annotation.gold.steps.events import GoldError
from annotation.gold.steps.qrels import take_gold_from_snapshot
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_collection,
    add_dry_run,
    attempt,
    collection_named,
    require_valid,
    snapshot_named,
    trial,
)
from annotation.kernel.visible import visible_pools
from annotation.management.gold_changes import add_confirmation, effect_facts, effect_words, require_confirmed
from annotation.models import Collection
from annotation.review.forms.gold import LEAVE, ZERO, GoldForm, GoldSnapshotForm, WithdrawForm
from annotation.review.steps.gold_changes import change_gold
from annotation.text.counted import counted
from annotation.trust.read.gold_effect import effect_of


class GoldChangeCommand(TouchstoneCommand):
    """A subclass reads one change of gold from its options."""

    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "changed; with --dry-run: it is said whom the change would touch",
            REFUSED: "refused: the change touches people and is not confirmed, or the pair has changed meanwhile",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("topic", metavar="TOPIC", help="the topic by its number")
        parser.add_argument("document", metavar="DOCNO", help="the document")
        add_confirmation(parser)
        add_dry_run(parser)

    def change(self, collection: Collection, options: Mapping[str, Any]) -> GoldChange:
        """Raises `MisuseError`."""
        raise NotImplementedError

    def handle(
        self, *, collection: str, seen: int | None, bring_back: list[str], dry_run: bool, **options: Any
    ) -> None:
        here = collection_named(collection)
        change = self.change(here, options)
        effect = effect_of(here, change)
        if dry_run:
            self.answer(effect_words(effect), effect_facts(effect))
            return
        require_confirmed(effect, seen, bring_back)
        with attempt(GoldError, dry_run=False):
            done = change_gold(here, change, effect=effect, seen=seen, bring_back=bring_back, actor=None)
        back = f"; back: {', '.join(done.brought_back)}" if done.brought_back else ""
        rescored = counted(effect.n_rescored, "judgment")
        facts = {
            **effect_facts(effect),
            "stored": True,
            "number": change.topic.number,
            "docno": change.document.docno,
            "grade": done.event.grade,
            "accepted": done.event.accepted,
            "brought_back": list(done.brought_back),
        }
        self.answer(f"changed: {change.words}; {rescored} scored anew{back}", facts)


class SetGold(GoldChangeCommand):
    help = "Make a pair gold, or correct it."
    examples = (
        "touchstone gold set bees 7 d1 3 --accepted 2 --reason 'Read by two of us'",
        "touchstone gold set bees 7 d1 3 --dry-run --json",
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("grade", help="a grade of the scale")
        words = "another grade that counts as right, as often as wanted"
        parser.add_argument("--accepted", action="append", default=[], metavar="GRADE", help=words)
        parser.add_argument("--reason", default="", help="why it is gold, for admins; it stays in the record")
        parser.add_argument("--explanation", default="", help="why this is the grade, for those who judged the pair")

    def change(self, collection: Collection, options: Mapping[str, Any]) -> GoldChange:
        names = ("grade", "accepted", "reason", "explanation")
        entered = {**_entered_pair(options), **{name: options[name] for name in names}}
        form = GoldForm(entered, collection=collection)
        require_valid(form)
        values = {name: form.cleaned_data[name] for name in ("topic", "document", "grade", "reason", "explanation")}
        return GoldChange(**values, accepted=tuple(form.cleaned_data["accepted"]))


class WithdrawGold(GoldChangeCommand):
    help = "Make a pair gold no more, with a reason."
    examples = ("touchstone gold withdraw bees 7 d1 --reason 'The document was replaced' --dry-run",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--reason", required=True, help="why; it stays in the record")

    def change(self, collection: Collection, options: Mapping[str, Any]) -> GoldChange:
        entered = {**_entered_pair(options), "reason": options["reason"]}
        form = WithdrawForm(entered, collection=collection)
        require_valid(form)
        answers = form.cleaned_data
        return GoldChange(answers["topic"], answers["document"], None, reason=answers["reason"])


class GoldFromQrels(TouchstoneCommand):
    help = "Take imported qrels as gold: all that they list, or some of each topic and grade."
    examples = (
        "touchstone gold from-qrels bees nist --dry-run",
        "touchstone gold from-qrels bees nist --per-grade 5 --pool 'depth 10' --unlisted 5 --seed 4 --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "taken, or with --dry-run: would be taken",
            REFUSED: "refused: grades off the scale, or pairs that are gold with another grade, without --correct",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("snapshot", help="imported qrels by their name")
        parser.add_argument("--per-grade", type=int, metavar="N", help="pairs of each topic and grade, at most; or all")
        words = "so many pairs of each topic that the qrels do not list, as gold of the lowest grade, from --pool"
        parser.add_argument("--unlisted", type=int, metavar="N", help=words)
        parser.add_argument("--pool", help="the pool by its name")
        parser.add_argument("--seed", type=int, help="of what is drawn; drawn itself, if none is given")
        parser.add_argument("--correct", action="store_true", help="correct pairs that are gold with another grade")
        add_dry_run(parser)

    def handle(self, *, collection: str, snapshot: str, dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        form = GoldSnapshotForm(_entered_qrels(here, snapshot, options), collection=here)
        require_valid(form)
        try:
            with trial(dry_run=dry_run):
                taken = take_gold_from_snapshot(here, **form.arguments(), actor=None)
        except FormatError as error:
            raise RefusedError("nothing was taken.", problems=error.problems) from error
        except GoldError as error:
            raise RefusedError(str(error)) from error
        verb = "would be set" if dry_run else "set"
        rest = f"{taken.n_unchanged} as they were, {taken.n_unknown} not here"
        words = [f"{verb}: {counted(taken.n_set, 'pair')}, {taken.n_known} of them gold before; {rest}", *taken.notes]
        facts = {**{name: getattr(taken, name) for name in TAKEN}, "notes": list(taken.notes), "stored": not dry_run}
        self.answer("\n".join(words), facts)


TAKEN = ("n_set", "n_known", "n_unlisted", "n_unchanged", "n_unknown")
DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {"set": SetGold, "withdraw": WithdrawGold, "from-qrels": GoldFromQrels}
)


def _entered_pair(options: Mapping[str, Any]) -> dict[str, Any]:
    return {"number": options["topic"], "docno": options["document"]}


def _entered_qrels(collection: Collection, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The command line as the page's form."""
    pool = visible_pools(collection).filter(name=options["pool"]).first() if options["pool"] else None
    if options["pool"] and pool is None:
        raise MisuseError(f"There is no pool {options['pool']} in this collection.")
    return {
        "snapshot": snapshot_named(collection, name).pk,
        "per_grade": options["per_grade"],
        "unlisted": LEAVE if options["unlisted"] is None else ZERO,
        "n_unlisted": options["unlisted"],
        "pool": pool.pk if pool else None,
        "seed": secrets.randbelow(2**31) if options["seed"] is None else options["seed"],
        "correct": options["correct"],
    }
