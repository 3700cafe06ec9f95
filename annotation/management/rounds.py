"""Qualification rounds as commands: listed, made, filled with pairs, opened, closed, taken back, deleted."""

import argparse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from annotation.batches.forms.qualifications import NAME_TAKEN, QualificationForm
from annotation.batches.read.qualifications import RoundRow, asking_batches, pair_results, person_results, round_rows
from annotation.batches.steps import qualifications as flow
from annotation.kernel.commands.base import DONE, REFUSED, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import (
    add_collection,
    add_dry_run,
    attempt,
    collection_named,
    require_valid,
    trial,
)
from annotation.kernel.taken import TakenError
from annotation.management.naming import round_named
from annotation.management.round_pairs import DEEDS as OF_PAIRS
from annotation.models import Collection, Qualification
from annotation.text.counted import counted, percent

EXITS: Mapping[int, str] = MappingProxyType(
    {
        DONE: "done, or with --dry-run: could be done",
        REFUSED: "refused: the name is taken, or the round is in no state for it; nothing was changed",
    }
)
SETTINGS = ("name", "pass_mark", "most_attempts")


class ListRounds(TouchstoneCommand):
    help = "List the qualification rounds of a collection, the newest first."
    examples = ("touchstone qualification list bees --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        rows = round_rows(collection_named(collection))
        self.answer("\n".join(map(_row_words, rows)) or "no round", [_row_facts(row) for row in rows])


class ShowRound(TouchstoneCommand):
    help = "Show a round: its pairs in their order, and how people fared."
    examples = ("touchstone qualification show bees training --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_round(parser)

    def handle(self, *, collection: str, round_name: str, **_options: object) -> None:
        shown = round_named(collection_named(collection), round_name)
        pairs, people = _pairs(shown), _people(shown)
        words = [
            _in_words(shown),
            *(f"  {pair['place']}: {pair['number']} {pair['docno']}: {pair['accepted']}" for pair in pairs),
            *(f"  {each['annotator']}: {'passed' if each['has_passed'] else 'not passed'}" for each in people),
        ]
        batches = [batch.name for batch in asking_batches(shown)]
        self.answer("\n".join(words), {**_as_facts(shown), "pairs": pairs, "people": people, "batches": batches})


class NewRound(TouchstoneCommand):
    help = "Make a round: a draft without pairs."
    examples = ("touchstone qualification new bees training --pass-mark 0.8 --most-attempts 2",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("name", help="what the round is called")
        parser.add_argument("--pass-mark", type=float, default=0.7, help="share of first answers right; default: 0.7")
        parser.add_argument(
            "--most-attempts", type=int, default=2, help="tries of a person; 0: without end; default: 2"
        )
        add_dry_run(parser)

    def handle(self, *, collection: str, dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        settings = _settings(here, {name: options[name] for name in SETTINGS})
        with _unless_taken(), trial(dry_run=dry_run):
            new_round = flow.create_qualification(here, settings=settings, actor=None)
        _say(self, new_round, "made", dry_run=dry_run)


class EditRound(TouchstoneCommand):
    help = "Change the settings of a round at any time: who has passed has passed."
    examples = ("touchstone qualification edit bees training --most-attempts 3 --dry-run",)
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_round(parser)
        parser.add_argument("--name", help="what the round is to be called")
        parser.add_argument("--pass-mark", type=float, help="share of first answers right")
        parser.add_argument("--most-attempts", type=int, help="tries of a person; 0: without end")
        add_dry_run(parser)

    def handle(self, *, collection: str, round_name: str, dry_run: bool, **options: Any) -> None:
        here = collection_named(collection)
        changed = round_named(here, round_name)
        wanted = {name: options[name] for name in SETTINGS if options[name] is not None}
        settings = _settings(here, {name: getattr(changed, name) for name in SETTINGS} | wanted, changed)
        with _unless_taken(), trial(dry_run=dry_run):
            flow.change_qualification(changed, settings=settings, actor=None)
            changed.refresh_from_db()
        _say(self, changed, "changed", dry_run=dry_run)


class RoundStep(TouchstoneCommand):
    """A subclass is one step of a round's life."""

    step: Callable[..., None]
    verb = ""
    exits = EXITS

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        _add_round(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, round_name: str, dry_run: bool, **_options: object) -> None:
        chosen = round_named(collection_named(collection), round_name)
        with attempt(flow.QualificationError, dry_run=dry_run):
            type(self).step(chosen, actor=None)
        _say(self, chosen, self.verb, dry_run=dry_run)


class OpenRound(RoundStep):
    help = "Let people begin a round: its pairs stand still from now on."
    examples = ("touchstone qualification open bees training",)
    step, verb = staticmethod(flow.open_qualification), "opened"


class CloseRound(RoundStep):
    help = "Let nobody begin any more; who is in the middle of it may end it."
    examples = ("touchstone qualification close bees training",)
    step, verb = staticmethod(flow.close_qualification), "closed"


class RedraftRound(RoundStep):
    help = "Make a round a draft again, unless somebody has begun it or a batch was laid out without its pairs."
    examples = ("touchstone qualification redraft bees training --dry-run",)
    step, verb = staticmethod(flow.redraft_qualification), "taken back"


class DeleteRound(RoundStep):
    help = "Delete a draft that no batch asks for."
    examples = ("touchstone qualification delete bees training",)
    step, verb = staticmethod(flow.delete_qualification), "deleted"


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {
        "list": ListRounds,
        "show": ShowRound,
        "new": NewRound,
        "edit": EditRound,
        **OF_PAIRS,
        "open": OpenRound,
        "close": CloseRound,
        "redraft": RedraftRound,
        "delete": DeleteRound,
    }
)


def _add_round(parser: argparse.ArgumentParser) -> None:
    add_collection(parser)
    parser.add_argument("round_name", metavar="ROUND", help="the round by its name")


@contextmanager
def _unless_taken() -> Iterator[None]:
    """Another process may have taken the name between the form and the row."""
    try:
        yield
    except TakenError as error:
        raise RefusedError(NAME_TAKEN) from error


def _settings(
    collection: Collection, values: dict[str, Any], changed: Qualification | None = None
) -> flow.QualificationSettings:
    """Through the form of the page, which asks for percent."""
    entered = {**values, "pass_mark": round(100 * values["pass_mark"], 6)}
    form = QualificationForm(entered, collection=collection, qualification=changed)
    require_valid(form)
    return flow.QualificationSettings(**form.cleaned_data)


def _say(command: TouchstoneCommand, shown: Qualification, verb: str, *, dry_run: bool) -> None:
    words = f"{f'would be {verb}' if dry_run else verb}: {_in_words(shown)}"
    command.answer(words, {**_as_facts(shown), "stored": not dry_run})


def _as_facts(shown: Qualification) -> dict[str, object]:
    return {"token": shown.token, "state": shown.state, **{name: getattr(shown, name) for name in SETTINGS}}


def _row_facts(row: RoundRow) -> dict[str, object]:
    counts = {"n_pairs": row.n_pairs, "n_people": row.n_people, "n_passed": row.n_passed}
    return {**_as_facts(row.qualification), **counts}


def _row_words(row: RoundRow) -> str:
    people = counted(row.n_people, "person", "people")
    return f"{_in_words(row.qualification)}; {counted(row.n_pairs, 'pair')}; {people} began, {row.n_passed} passed"


def _in_words(shown: Qualification) -> str:
    tries = counted(shown.most_attempts, "try", "tries") if shown.most_attempts else "tries without end"
    return f"{shown.name}: {shown.get_state_display().lower()}, {percent(shown.pass_mark)} right, {tries}"


def _pairs(shown: Qualification) -> list[dict[str, object]]:
    return [
        {
            "place": number,
            "number": each.item.topic_version.topic.number,
            "docno": each.item.document_version.document.docno,
            "accepted": each.item.accepted,
            "hint": each.item.hint,
            "explanation": each.item.explanation,
            "n_answers": each.n,
            "n_right": each.n_right,
        }
        for number, each in enumerate(pair_results(shown), 1)
    ]


def _people(shown: Qualification) -> list[dict[str, object]]:
    return [
        {
            "annotator": each.annotator.pseudonym,
            "tries": [
                {"number": one.number, "n_right": one.n_right, "n_answers": one.n_answered, "passed": one.passed}
                for one in each.tries
            ],
            "tries_left": each.tries_left,
            "has_passed": each.has_passed,
        }
        for each in person_results(shown)
    ]
