"""Laying a draft out as a command, or looking at what it would give."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from annotation.batches.pages.counting import Counting, other_warnings
from annotation.batches.read.overlap import rule_of
from annotation.batches.steps.layout import DryRun, LayoutError, begin_layout, dry_run
from annotation.kernel.commands.base import DONE, REFUSED, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import add_collection, collection_named
from annotation.kernel.jobs import do_here
from annotation.management.naming import batch_named
from annotation.models import Batch, Job
from annotation.quality.overlap import ENOUGH
from annotation.text.counted import counted


class LayOut(TouchstoneCommand):
    help = "Lay out a draft batch: items in blocks, slots, and what is planted for whom. Prints the plan."
    examples: Sequence[str] = (
        "touchstone batch lay-out bees first --dry-run",
        "touchstone batch lay-out bees first --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "laid out, or with --dry-run: could be laid out",
            REFUSED: "refused: the reasons are on the standard error, the draft is as it was",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("batch", help="the batch by its name; `batch new` drafts one")
        parser.add_argument("--dry-run", action="store_true", help="print the plan and change nothing")

    def handle(self, *, collection: str, batch: str, dry_run: bool, **_options: object) -> None:
        draft = batch_named(collection_named(collection), batch)
        try:
            plan = _dry_run_of_draft(draft)
            if not dry_run:
                _lay_out(draft, plan)
        except LayoutError as error:
            raise RefusedError(str(error)) from error
        counting = Counting.of(draft, plan)
        words = "\n".join([f"{counting.verdict} {counting.why}".rstrip(), *_words(draft, plan, stored=not dry_run)])
        self.answer(words, {**_as_json(plan, stored=not dry_run), "counting": counting.as_json()})
        if plan.errors:
            raise RefusedError(" ".join(plan.errors))


class DryRunOfLayout(LayOut):
    help = "Say what laying a draft out would give, and change nothing: `lay-out --dry-run`."
    examples = ("touchstone batch dry-run bees first",)
    exits: Mapping[int, str] = MappingProxyType({DONE: "could be laid out", REFUSED: "could not be laid out"})

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("batch", help="the batch by its name; `batch new` drafts one")

    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **{**options, "dry_run": True})


def _dry_run_of_draft(batch: Batch) -> DryRun:
    if batch.state != Batch.State.DRAFT:
        raise LayoutError("This batch has been laid out already.")
    return dry_run(batch)


def _lay_out(batch: Batch, plan: DryRun) -> None:
    """In a job of this process: portion by portion, and nobody sees it before it is whole."""
    if plan.errors:
        raise LayoutError(" ".join(plan.errors))
    job = do_here(begin_layout(batch))
    if job.state != Job.State.DONE:
        raise LayoutError(job.error)


def _as_json(plan: DryRun, *, stored: bool) -> dict[str, object]:
    return {"stored": stored, **asdict(plan), "hours": round(plan.hours, 2)}


def _words(batch: Batch, plan: DryRun, *, stored: bool) -> Iterator[str]:
    verb = "laid out" if stored else "would be laid out"
    yield (
        f"{verb}: {counted(plan.n_items, 'item')} of {counted(plan.n_topics, 'topic')} "
        f"in {counted(plan.n_blocks, 'block')}, seed {batch.seed}"
    )
    kinds = f"{plan.n_ordinary} ordinary, {plan.n_gold} gold, {counted(plan.n_checks, 'check')}"
    yield f"  items: {kinds}; {plan.n_resting} without a slot"
    checks, repeats = counted(plan.n_check_judgments, "check"), counted(plan.n_repeat_judgments, "repeat")
    kinds = f"{plan.n_ordinary_judgments} ordinary, {plan.n_gold_judgments} gold, {checks}, {repeats}"
    yield f"  judgments to expect: {plan.n_judgments} ({kinds})"
    basis = "as measured here" if plan.seconds_known else "assumed"
    yield f"  time: {plan.hours:.1f} hours at {counted(round(plan.seconds), 'second')} a judgment ({basis})"
    for person in plan.people:
        before = f" and {person.n_gold_before} before" if person.n_gold_before else ""
        judgments = counted(round(person.n_judgments), "judgment")
        spread = f"(5th percentile {person.n_gold_low}, at most {person.n_gold_bound})"
        yield f"  {person.pseudonym}: about {judgments}, {person.n_gold} gold {spread}{before}"
    for person in plan.short_of_gold:
        yield f"cannot reach 10 gold: {person.pseudonym}. {person.short}"
    if (rule := rule_of(batch)) is not None:
        ready = counted(plan.n_gold_ready, "gold pair is", "gold pairs are")
        yield f"  steered: {ready} to be expected to get {counted(rule.first, 'judgment')}; {ENOUGH} are needed"
    for warning in other_warnings(plan):
        yield f"warning: {warning}"
