"""The life of a batch as commands: listed, looked at, people assigned, opened, paused, closed, deleted."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from annotation.batches.read.batches import BatchRow, batch_row, batch_rows, person_progress, topic_progress
from annotation.batches.steps.batches import (
    BatchError,
    assign_annotators,
    close_batch,
    open_batch,
    pause_batch,
    reopen_batch,
    unassign_annotator,
)
from annotation.batches.steps.deletion import delete_batch
from annotation.kernel.commands.base import DONE, REFUSED, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import add_collection, add_dry_run, collection_named, trial
from annotation.management.batch_changes import DEEDS as OF_CHANGES
from annotation.management.drafts import EVERYBODY, NewBatch, annotators_named
from annotation.management.layout import DryRunOfLayout, LayOut
from annotation.management.naming import batch_named
from annotation.models import Batch
from annotation.text.counted import counted


class ListBatches(TouchstoneCommand):
    help = "List the batches of a collection, the newest first."
    examples = ("touchstone batch list bees", "touchstone batch list bees --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        rows = batch_rows(collection_named(collection))
        self.answer("\n".join(map(_in_words, rows)) or "no batch", [_as_facts(row) for row in rows])


class ShowBatch(TouchstoneCommand):
    help = "Say how far a batch is, by topic and by person."
    examples = ("touchstone batch show bees first",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("batch", help="the batch by its name")

    def handle(self, *, collection: str, batch: str, **_options: object) -> None:
        chosen = batch_named(collection_named(collection), batch)
        row, topics, people = batch_row(chosen), topic_progress(chosen), person_progress(chosen)
        words = [
            _in_words(row),
            *(f"  topic {one.number}: {one.n_judged} of {one.n_wanted}" for one in topics),
            *(f"  {one.annotator}: {one.n_judged} judged, {one.n_skipped} skipped" for one in people),
        ]
        facts = {
            **_as_facts(row),
            "by_topic": [{"number": one.number, "wanted": one.n_wanted, "judged": one.n_judged} for one in topics],
            "by_person": [
                {
                    "annotator": str(one.annotator),
                    "is_active": one.is_active,
                    "judged": one.n_judged,
                    "skipped": one.n_skipped,
                }
                for one in people
            ],
        }
        self.answer("\n".join(words), facts)


class AssignPeople(TouchstoneCommand):
    help = "Let people take part in a batch, also once it is laid out; with --end, end their part."
    examples = (
        "touchstone batch assign bees first Amber Birch",
        f"touchstone batch assign bees first {EVERYBODY} --dry-run",
        "touchstone batch assign bees first Amber --end",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "assigned", REFUSED: "refused: the batch is closed, or came with its judgments; nothing was changed"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("batch", help="the batch by its name")
        people = f"who, by pseudonym; {EVERYBODY}: all annotators of the collection"
        parser.add_argument("annotator", nargs="+", metavar="PSEUDONYM", help=people)
        parser.add_argument("--end", action="store_true", help="end their part: what they judged stays")
        add_dry_run(parser)

    def handle(
        self, *, collection: str, batch: str, annotator: Sequence[str], end: bool, dry_run: bool, **_options: object
    ) -> None:
        target = collection_named(collection)
        chosen, people = batch_named(target, batch), annotators_named(target, annotator)
        try:
            with trial(dry_run=dry_run):
                if end:
                    for each in people:
                        unassign_annotator(chosen, annotator=each, actor=None)
                    n = len(people)
                else:
                    n = assign_annotators(chosen, annotators=people, actor=None)
        except BatchError as error:
            raise RefusedError(str(error)) from error
        verb = "taken off" if end else "assigned"
        facts = {"batch": chosen.name, "assigned": 0 if end else n, "ended": n if end else 0, "stored": not dry_run}
        self.answer(f"{'would be ' if dry_run else ''}{verb}: {n} of {len(people)}", facts)


class BatchStep(TouchstoneCommand):
    """A subclass is one step of a batch's life."""

    step: Callable[..., None]
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "done, or with --dry-run: could be done",
            REFUSED: "refused: the batch is in no state for it; nothing was changed",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("batch", help="the batch by its name")
        add_dry_run(parser)

    def handle(self, *, collection: str, batch: str, dry_run: bool, **_options: object) -> None:
        chosen = batch_named(collection_named(collection), batch)
        try:
            with trial(dry_run=dry_run):
                type(self).step(chosen, actor=None)
                gone = not Batch.objects.filter(pk=chosen.pk).exists()
        except BatchError as error:
            raise RefusedError(str(error)) from error
        state = "deleted" if gone else chosen.get_state_display().lower()
        facts = {"batch": chosen.name, "state": "deleted" if gone else chosen.state, "stored": not dry_run}
        self.answer(f"{chosen.name} {'would be' if dry_run else 'is'} {state}", facts)


class OpenBatch(BatchStep):
    help = "Open a batch that is laid out: its people may judge."
    examples = ("touchstone batch open bees first",)
    step = staticmethod(open_batch)


class PauseBatch(BatchStep):
    help = "Pause an open batch: nobody gets a new card."
    examples = ("touchstone batch pause bees first",)
    step = staticmethod(pause_batch)


class ReopenBatch(BatchStep):
    help = "Open a batch again that is paused or closed."
    examples = ("touchstone batch reopen bees first",)
    step = staticmethod(reopen_batch)


class CloseBatch(BatchStep):
    help = "Close a batch: no more judgments."
    examples = ("touchstone batch close bees first --dry-run",)
    step = staticmethod(close_batch)


class DeleteBatch(BatchStep):
    help = "Delete a draft, or a layout that nobody has met."
    examples = ("touchstone batch delete bees first",)
    step = staticmethod(delete_batch)


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {
        "list": ListBatches,
        "show": ShowBatch,
        "new": NewBatch,
        "assign": AssignPeople,
        "dry-run": DryRunOfLayout,
        "lay-out": LayOut,
        "open": OpenBatch,
        "pause": PauseBatch,
        "reopen": ReopenBatch,
        "close": CloseBatch,
        "delete": DeleteBatch,
        **OF_CHANGES,
    }
)


def _in_words(row: BatchRow) -> str:
    state = Batch.State(row.batch.state).label.lower()
    pairs, people = counted(row.n_items, "pair"), counted(row.n_people, "person", "people")
    return f"{row.batch.name}: {state}, {pairs}, {row.n_judged:,} judged, {people}"


def _as_facts(row: BatchRow) -> dict[str, object]:
    batch = row.batch
    return {
        "name": batch.name,
        "state": batch.state,
        "token": batch.token,
        "pool": batch.pool.name if batch.pool else None,
        "items": row.n_items,
        "judged": row.n_judged,
        "expected": batch.n_expected,
        "people": row.n_people,
    }
