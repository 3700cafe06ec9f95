"""A draft of a batch as a command, with the checks of the page."""

import argparse
import secrets
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

from annotation.batches.forms.batches import NAME_TAKEN, SHARES, BatchForm
from annotation.batches.forms.drafts import draft_entries, draft_form
from annotation.batches.forms.overlap import TARGET
from annotation.batches.forms.presets import PRESETS
from annotation.batches.read.batches import annotators_of
from annotation.batches.steps.batches import create_batch
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import add_collection, add_dry_run, collection_named, require_valid, trial
from annotation.kernel.forms import ALL, LISTED
from annotation.kernel.taken import TakenError
from annotation.kernel.visible import visible_pools
from annotation.management.naming import round_named
from annotation.models import Annotator, Batch, Collection, InformationVersion
from annotation.text.counted import counted

NUMBERS = (
    "judgments_per_item",
    "minimum_seconds",
    "nudge_minutes",
    "session_minutes",
    "break_minutes",
    "opening_cards",
    "feedback_hours",
    "block_size",
)
SETTINGS = (*NUMBERS, *SHARES, "feedback")
STEERING = ("steered_by", "most_judgments", "target_probability")
EVERYBODY = "everybody"
HINTS = {
    "nudge_minutes": "minutes after which the page suggests a rest, 0: never",
    "session_minutes": "minutes after which a break is enforced",
    "opening_cards": "pairs from different heights of the pool with which each topic opens, 0: none",
    "feedback_hours": "hours after a judgment, for --feedback delayed",
}


class NewBatch(TouchstoneCommand):
    help = "Draft a batch from a pool. Nothing is laid out: look at it with `batch dry-run`, then lay it out."
    examples = (
        "touchstone batch new bees first --pool 'depth 10' --annotator everybody",
        "touchstone batch new bees first --pool 'depth 10' --annotator everybody --preset careful",
        (
            "touchstone batch new bees second --pool 'depth 10' --annotator Amber --annotator Birch \\\n"
            "      --topic 1 --topic 7 --judgments-per-item 2 --gold-share 15 --seed 4"
        ),
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "drafted, or with --dry-run: could be drafted", REFUSED: "refused: the name is taken"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        fields = BatchForm.base_fields
        add_collection(parser)
        parser.add_argument("name", help="what the batch is called")
        parser.add_argument("--pool", required=True, help="the pool by its name")
        parser.add_argument("--topic", action="append", help="a topic by its number, as often as wanted; all, if none")
        parser.add_argument(
            "--annotator",
            action="append",
            default=[],
            metavar="PSEUDONYM",
            help=f"who takes part, as often as wanted; {EVERYBODY}: all annotators of the collection",
        )
        sets = "; ".join(f"{preset.name}: {preset.says}" for preset in PRESETS.values()).replace("%", "%%")
        parser.add_argument("--preset", choices=PRESETS, help=f"settings to begin with, in place of defaults: {sets}")
        for name in NUMBERS:
            initial = fields[name].initial
            words = f"{HINTS[name]}; default: {initial}" if name in HINTS else f"default: {initial}"
            parser.add_argument(option_name(name), type=int, help=words)
        for name in SHARES:
            parser.add_argument(option_name(name), type=float, help=f"percent; default: {fields[name].initial}")
        _add_steering(parser)
        parser.add_argument(
            "--feedback",
            choices=Batch.Feedback.values,
            default=Batch.Feedback.NEVER.value,
            help="when people are shown how they did on gold; default: never",
        )
        parser.add_argument("--information", type=int, metavar="NUMBER", help="the information text, by its version")
        parser.add_argument("--qualification", metavar="NAME", help="the qualification round by its name")
        parser.add_argument("--seed", type=int, help="the layout follows from it; drawn, if none is given")
        add_dry_run(parser)

    def handle(self, *, collection: str, dry_run: bool, **options: object) -> None:
        target = collection_named(collection)
        form = draft_form(_entered(target, options), target)
        require_valid(form)
        entries = draft_entries(form)
        try:
            with trial(dry_run=dry_run):
                batch = create_batch(target, **entries, actor=None)
        except TakenError as error:
            raise RefusedError(NAME_TAKEN) from error
        n_topics, n_annotators = len(entries["topics"]), len(entries["annotators"])
        facts = {**as_json(batch), "topics": n_topics, "annotators": n_annotators}
        size = f"{counted(n_topics, 'topic')}, {counted(n_annotators, 'annotator')}"
        counts = f"{size}, seed {batch.seed}"
        self.answer(f"{'would be drafted' if dry_run else 'drafted'}: {batch.name}, {counts}", facts)


def _entered(collection: Collection, options: dict[str, object]) -> dict[str, object]:
    """The command line as the page's form."""
    pool = visible_pools(collection).filter(name=options["pool"]).first()
    if pool is None:
        raise MisuseError(f"There is no pool {options['pool']} in this collection.")
    topics = options["topic"]
    assert topics is None or isinstance(topics, list)
    seed = options["seed"] if options["seed"] is not None else secrets.randbelow(2**31)
    return {
        **{name: options[name] for name in ("name", "feedback", *STEERING)},
        **{name: _setting(name, options) for name in (*NUMBERS, *SHARES)},
        "pool": pool.pk,
        "topics": LISTED if topics else ALL,
        "numbers": " ".join(topics or []),
        "annotators": [each.pk for each in annotators_named(collection, cast("list[str]", options["annotator"]))],
        "information": _version(collection, options["information"]),
        "qualification": round_named(collection, str(name)).pk if (name := options["qualification"]) else None,
        "seed": seed,
    }


def _setting(name: str, options: Mapping[str, object]) -> object:
    """What the command line says, else the preset, else what the page begins with."""
    if options[name] is not None:
        return options[name]
    preset = PRESETS[str(options["preset"])].sets if options["preset"] else {}
    return preset.get(name, BatchForm.base_fields[name].initial)


def _add_steering(parser: argparse.ArgumentParser) -> None:
    policy = "the policy (NAME vN) that asks for more judgments where a grade is in doubt; default: none"
    parser.add_argument("--steered-by", metavar="POLICY", help=policy)
    parser.add_argument("--most-judgments", type=int, help="judgments per pair, at most, with --steered-by")
    target = f"percent sure from which no more is asked for, with --steered-by; default: {TARGET:g}"
    parser.add_argument("--target-probability", type=float, default=TARGET, help=target)


def _version(collection: Collection, number: object) -> int | None:
    if number is None:
        return None
    version = InformationVersion.objects.filter(collection=collection, number=int(str(number))).first()
    if version is None:
        raise MisuseError(f"There is no version {number} of the information text.")
    return version.pk


def annotators_named(collection: Collection, names: Sequence[str]) -> list[Annotator]:
    annotators = {each.pseudonym: each for each in annotators_of(collection)}
    if EVERYBODY in names:
        return list(annotators.values())
    unknown = [name for name in names if name not in annotators]
    if unknown:
        raise MisuseError(f"There is no annotator {unknown[0]} who could take part.")
    return [annotators[name] for name in names]


def as_json(batch: Batch) -> dict[str, object]:
    settings = {name: getattr(batch, name) for name in ("name", "seed", *SETTINGS, *STEERING[1:])}
    settings["steered_by"] = str(batch.steered_by) if batch.steered_by else None
    settings["information"] = batch.information.number if batch.information else None
    settings["qualification"] = batch.qualification.name if batch.qualification else None
    return {**settings, "state": batch.state}


def option_name(name: str) -> str:
    return f"--{name.replace('_', '-')}"
