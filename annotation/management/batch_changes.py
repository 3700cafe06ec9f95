"""What changes of a batch besides the steps of its life, as commands: a draft's settings, feedback,
cost, the day it is due, pairs that nobody could judge, slots in place of judgments that no longer
count.
"""

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from annotation.batches.forms.batches import NAME_TAKEN, SHARES, FeedbackForm
from annotation.batches.forms.drafts import NamedBatchForm, draft_entries, draft_form, named_entries_of
from annotation.batches.read.replacements import additions, missing_judgments
from annotation.batches.steps.batches import KEEPS_SETTINGS, BatchError, change_batch, change_feedback, release_item
from annotation.batches.steps.layout import AddingError
from annotation.batches.steps.replacements import replace_lost, withdraw_spare
from annotation.health.forms import CostForm, DueForm
from annotation.health.steps import set_due, state_cost
from annotation.kernel.blocks import block_faults, recount_blocks
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_actor,
    add_collection,
    add_dry_run,
    admin_named,
    attempt,
    collection_named,
    require_valid,
    trial,
)
from annotation.kernel.forms import LISTED
from annotation.kernel.taken import TakenError
from annotation.management.drafts import EVERYBODY, NUMBERS, STEERING, annotators_named, as_json, option_name
from annotation.management.naming import batch_named
from annotation.models import Batch, Collection, Item
from annotation.text.counted import counted
from annotation.trust.read.withheld import withheld_pairs

CHOSEN = ("name", "pool", "information", "qualification", "steered_by", "feedback")
EXITS: Mapping[int, str] = MappingProxyType(
    {
        DONE: "done, or with --dry-run: could be done",
        REFUSED: "refused: the batch is in no state for it, or what is named is not so any more; nothing was changed",
    }
)


class EditBatch(TouchstoneCommand):
    help = "Change a draft; what is not named stays as it is. An empty value means none."
    examples = (
        "touchstone batch edit bees first --judgments-per-item 2 --gold-share 15",
        "touchstone batch edit bees first --topic 1 --topic 7 --annotator everybody --dry-run --json",
    )
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_batch(parser)
        for name in CHOSEN:
            parser.add_argument(option_name(name), help=f"as `batch new --{name.replace('_', '-')}`")
        parser.add_argument("--topic", action="append", help="the topics by their numbers, as often as wanted")
        people = f"who takes part, as often as wanted; {EVERYBODY}: all annotators of the collection"
        parser.add_argument("--annotator", action="append", metavar="PSEUDONYM", help=people)
        for name in (*NUMBERS, "most_judgments", "seed"):
            parser.add_argument(option_name(name), type=int)
        for name in (*SHARES, "target_probability"):
            parser.add_argument(option_name(name), type=float, help="percent")
        add_dry_run(parser)

    def handle(self, *, collection: str, batch: str, dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        draft = batch_named(here, batch)
        if draft.state != Batch.State.DRAFT:
            raise RefusedError(KEEPS_SETTINGS)
        changes = _changes(here, options)
        if not changes:
            raise MisuseError("Say what to change.")
        entered = {**named_entries_of(draft), **changes}
        form = draft_form(entered, here, batch=draft, form_type=NamedBatchForm)
        require_valid(form)
        try:
            with attempt(BatchError, dry_run=dry_run):
                change_batch(draft, **draft_entries(form), actor=None)
                facts = {**as_json(batch_named(here, form.cleaned_data["name"])), "stored": not dry_run}
        except TakenError as error:
            raise RefusedError(NAME_TAKEN) from error
        words = f"{'would be changed' if dry_run else 'changed'}: {draft.name}: {', '.join(sorted(changes))}"
        self.answer(words, facts)


class BatchFeedback(TouchstoneCommand):
    help = "Say when people are told how they did on gold, from now on. What they were told before stays."
    examples = ("touchstone batch feedback bees first delayed --hours 24",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_batch(parser)
        parser.add_argument("feedback", choices=Batch.Feedback.values, help="when")
        parser.add_argument("--hours", type=int, help="after a judgment, for `delayed`; as it was, if none are given")
        add_dry_run(parser)

    def handle(
        self, *, collection: str, batch: str, feedback: str, hours: int | None, dry_run: bool, **_options: object
    ) -> None:
        chosen = batch_named(collection_named(collection), batch)
        form = FeedbackForm({"feedback": feedback, "feedback_hours": chosen.feedback_hours if hours is None else hours})
        require_valid(form)
        with attempt(BatchError, dry_run=dry_run):
            change_feedback(chosen, **form.cleaned_data, actor=None)
        facts = {"batch": chosen.name, **form.cleaned_data, "stored": not dry_run}
        self.answer(f"{'would be' if dry_run else 'is'}: {feedback}", facts)


class BatchCost(TouchstoneCommand):
    help = "State what a judgment of this batch costs; an empty value: what the collection says."
    examples = ("touchstone batch cost bees first 0.05",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_batch(parser)
        parser.add_argument("cost", help="in the currency of the collection, up to four decimals")
        add_actor(parser)
        add_dry_run(parser)

    def handle(
        self, *, collection: str, batch: str, cost: str, actor: str | None, dry_run: bool, **_options: object
    ) -> None:
        here = collection_named(collection)
        chosen, person = batch_named(here, batch), admin_named(here, actor)
        form = CostForm({"cost_per_judgment": cost})
        require_valid(form)
        with trial(dry_run=dry_run):
            state_cost(chosen, cost=form.cleaned_data["cost_per_judgment"], actor=person)
        stated = form.cleaned_data["cost_per_judgment"]
        facts = {"batch": chosen.name, "cost_per_judgment": None if stated is None else str(stated)}
        words = f"{'would cost' if dry_run else 'costs'}: {stated or 'what the collection says'}"
        self.answer(words, {**facts, "stored": not dry_run})


class BatchDue(TouchstoneCommand):
    help = "Set the day by which this batch is due, unless it is closed; an empty value: none."
    examples = ("touchstone batch due bees first 2026-12-24",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_batch(parser)
        parser.add_argument("day", help="as 2026-12-24")
        add_actor(parser)
        add_dry_run(parser)

    def handle(
        self, *, collection: str, batch: str, day: str, actor: str | None, dry_run: bool, **_options: object
    ) -> None:
        here = collection_named(collection)
        chosen, person = batch_named(here, batch), admin_named(here, actor)
        form = DueForm({"due": day})
        require_valid(form)
        due = form.cleaned_data["due"]
        with attempt(BatchError, dry_run=dry_run):
            set_due(chosen, due=due, actor=person)
        facts = {"batch": chosen.name, "due": due and due.isoformat(), "stored": not dry_run}
        self.answer(f"{'would be due' if dry_run else 'is due'}: {due or 'on no day'}", facts)


class WithheldPairs(TouchstoneCommand):
    help = "List the pairs that nobody is handed any more because people could not judge them."
    examples = ("touchstone batch withheld bees first --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_batch(parser)

    def handle(self, *, collection: str, batch: str, **_options: object) -> None:
        here = collection_named(collection)
        chosen = batch_named(here, batch)
        rows = [
            {"number": each.item.topic.number, "docno": each.item.document.docno, "skips": each.skips}
            | {"decided": each.decided}
            for each in withheld_pairs(here, [chosen], chosen.criterion)
        ]
        words = [f"{row['number']} {row['docno']}: {'; '.join(row['skips'])}" for row in rows]  # type: ignore[arg-type]
        self.answer("\n".join(words) or "no pair", rows)


class ReleasePair(TouchstoneCommand):
    help = "Hand a withheld pair out again."
    examples = ("touchstone batch release bees first 7 d1 --dry-run",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_batch(parser)
        parser.add_argument("topic", metavar="TOPIC", help="the topic by its number")
        parser.add_argument("document", metavar="DOCNO", help="the document")
        add_dry_run(parser)

    def handle(
        self, *, collection: str, batch: str, topic: str, document: str, dry_run: bool, **_options: object
    ) -> None:
        chosen = batch_named(collection_named(collection), batch)
        items = Item.objects.filter(batch=chosen, topic__number=topic, document__docno=document)
        item = items.select_related("topic", "document", "collection").first()
        if item is None:
            raise MisuseError(f"Topic {topic}, document {document}: not in this batch.")
        with attempt(BatchError, dry_run=dry_run):
            release_item(item, actor=None)
        words = f"{'would be handed' if dry_run else 'is handed'} out again: topic {topic}, document {document}"
        facts = {"batch": chosen.name, "number": topic, "docno": document, "stored": not dry_run}
        self.answer(words, facts)


class MissingJudgments(TouchstoneCommand):
    help = "Say which batches lack judgments since somebody was excluded, and what was added in their place."
    examples = ("touchstone batch missing bees --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        here = collection_named(collection)
        missing = [
            {"batch": each.batch.name, "n": each.n, "n_pairs": len(each.n_of), "judgments_of": list(each.names)}
            | {"hours": each.hours, "cost": None if each.cost is None else str(each.cost), "n_stuck": each.n_stuck}
            | {"can_be_added": each.can_be_added}
            for each in missing_judgments(here)
        ]
        added = [
            {"batch": each.batch.name, "n_added": each.n_added, "n_judged": each.n_judged, "n_beyond": each.n_beyond}
            | {"n_spare": each.n_spare, "can_be_withdrawn": each.can_be_withdrawn}
            for each in additions(here)
        ]
        words = [
            *(f"{row['batch']}: {row['n']} missing, of {row['judgments_of']}" for row in missing),
            *(f"{row['batch']}: {row['n_added']} added, {row['n_spare']} not needed" for row in added),
        ]
        self.answer("\n".join(words) or "nothing is missing", {"missing": missing, "added": added})


class ReplaceJudgments(TouchstoneCommand):
    help = "Add the slots that are missing since somebody was excluded."
    examples = ("touchstone batch replace bees first 12 --dry-run", "touchstone batch replace bees first 12")
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_batch(parser)
        parser.add_argument("n", type=int, help="as many as are missing, as `batch missing` says")
        add_dry_run(parser)

    def handle(self, *, collection: str, batch: str, n: int, dry_run: bool, **_options: object) -> None:
        chosen = batch_named(collection_named(collection), batch)
        with attempt(AddingError, dry_run=dry_run):
            counts = replace_lost(chosen, n=n, actor=None)
        _say_slots(self, chosen, "added", counts.n_slots, counts.n_items, dry_run=dry_run)


class WithdrawSlots(TouchstoneCommand):
    help = "Take back the added slots that nobody holds and no pair needs any more."
    examples = ("touchstone batch withdraw bees first",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_batch(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, batch: str, dry_run: bool, **_options: object) -> None:
        chosen = batch_named(collection_named(collection), batch)
        with attempt(AddingError, dry_run=dry_run):
            counts = withdraw_spare(chosen, actor=None)
        _say_slots(self, chosen, "taken back", counts.n_slots, counts.n_items, dry_run=dry_run)


class RecountBlocks(TouchstoneCommand):
    help = "Compare what the rows of blocks say with their slots, and set right what differs. People may go on judging."
    examples = ("touchstone batch recount bees first --dry-run", "touchstone batch recount bees first --json")
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "done, or with --dry-run: compared; nothing was changed",
            REFUSED: "refused: a draft has no blocks yet",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_batch(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, batch: str, dry_run: bool, **_options: object) -> None:
        chosen = batch_named(collection_named(collection), batch)
        if chosen.state == Batch.State.DRAFT:
            raise RefusedError("This batch is a draft: lay it out first.")
        faults = block_faults(chosen)
        if not dry_run:
            recount_blocks(chosen)  # of all: a note of what somebody left behind may be wrong, too
        words = [str(fault) for fault in faults]
        rows = [
            {"block": fault.number, "row": fault.row and asdict(fault.row), "slots": asdict(fault.slots)}
            for fault in faults
        ]
        verb = "differ" if dry_run else "set right"
        end = f"{counted(len(faults), 'block')} {verb}" if faults else "all blocks are as their slots"
        self.answer("\n".join([*words, end]), {"batch": chosen.name, "blocks": rows, "stored": not dry_run})


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {
        "edit": EditBatch,
        "feedback": BatchFeedback,
        "cost": BatchCost,
        "due": BatchDue,
        "withheld": WithheldPairs,
        "release": ReleasePair,
        "missing": MissingJudgments,
        "replace": ReplaceJudgments,
        "withdraw": WithdrawSlots,
        "recount": RecountBlocks,
    }
)


def _add_batch(parser: argparse.ArgumentParser) -> None:
    add_collection(parser)
    parser.add_argument("batch", help="the batch by its name")


def _changes(collection: Collection, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, as the form by names takes them."""
    names = (*CHOSEN, *NUMBERS, *SHARES, *STEERING, "seed")
    changes = {name: options[name] for name in names if options[name] is not None}
    if options["topic"] is not None:
        changes |= {"topics": LISTED, "numbers": " ".join(options["topic"])}
    if options["annotator"] is not None:
        changes["annotators"] = [each.pseudonym for each in annotators_named(collection, options["annotator"])]
    return changes


def _say_slots(
    command: TouchstoneCommand, batch: Batch, verb: str, n_slots: int, n_items: int, *, dry_run: bool
) -> None:
    words = f"{f'would be {verb}' if dry_run else verb}: {counted(n_slots, 'slot')} of {counted(n_items, 'pair')}"
    command.answer(words, {"batch": batch.name, "n_slots": n_slots, "n_items": n_items, "stored": not dry_run})
