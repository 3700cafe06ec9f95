"""Laying a draft out, or looking at what it would give."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict

from django.core.management.base import CommandError

from annotation.batches.read import rule_of
from annotation.batches.steps import DryRun, LayoutError, dry_run, lay_out
from annotation.kernel.visible import visible_batches
from annotation.management.answering import MISUSED, REFUSED, AnsweringCommand, collection_of
from annotation.models import Batch
from annotation.quality.overlap import ENOUGH
from annotation.text.counted import counted


class Command(AnsweringCommand):
    help = "Lay out a draft batch: items in blocks, slots, and what is planted for whom. Prints the plan."
    examples = "  python manage.py layout bees first --dry-run\n  python manage.py layout bees first --json"
    exit_codes = (
        "  0  laid out, or with --dry-run: could be laid out\n"
        "  1  refused: the reasons are on the standard error, the draft is as it was\n"
        "  2  the command cannot be carried out as given: no such collection or batch"
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("collection", help="the collection's short name, as in its address")
        parser.add_argument("batch", help="the batch by its name; `batch` drafts one")
        parser.add_argument("--dry-run", action="store_true", help="print the plan and change nothing")
        parser.add_argument("--json", dest="as_json", action="store_true", help="the plan as JSON")

    def handle(self, *, collection: str, batch: str, dry_run: bool, as_json: bool, **_options: object) -> None:
        draft = visible_batches(collection_of(collection)).filter(name=batch).first()
        if draft is None:
            raise CommandError(f"There is no batch {batch} in this collection.", returncode=MISUSED)
        try:
            plan = _planned(draft) if dry_run else lay_out(draft, actor=None)
        except LayoutError as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        self.answer(
            "\n".join(_words(draft, plan, stored=not dry_run)), _as_json(plan, stored=not dry_run), as_json=as_json
        )
        if plan.errors:
            raise CommandError(" ".join(plan.errors), returncode=REFUSED)


def _planned(batch: Batch) -> DryRun:
    if batch.state != Batch.State.DRAFT:
        raise LayoutError("This batch has been laid out already.")
    return dry_run(batch)


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
        yield f"  {person.pseudonym}: about {judgments}, {person.n_gold} gold{before}"
    for person in plan.short_of_gold:
        yield f"cannot reach 10 gold: {person.pseudonym}. {person.short}"
    if (rule := rule_of(batch)) is not None:
        ready = counted(plan.n_gold_ready, "gold pair is", "gold pairs are")
        yield f"  steered: {ready} to be expected to get {counted(rule.first, 'judgment')}; {ENOUGH} are needed"
    for warning in plan.warnings:
        yield f"warning: {warning}"
