"""Interleaved lists of several runs, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output, written
from evaluation.engine.interleaving import METHODS
from evaluation.engine.interleaving.drawing import DEPTH, PARAMETERS, interleave, method_named
from evaluation.engine.interleaving.lists import MOST_RANKERS
from evaluation.formats.interleaving import lists_jsonl
from evaluation.management.command_options import RUN_FORMS, add_seed, engine_errors
from evaluation.management.files import read_runs, refuse_two_stdins


class Command(TouchstoneCommand):
    help = (
        f"Draw interleaved lists of 2 to {MOST_RANKERS} runs, to be shown to users; `credit_clicks` says what their "
        "clicks prefer. Nothing is stored; docs/interleaving.md says which method to take."
    )
    examples = (
        "touchstone interleave bm25.run dense.run --lists 100 --seed 7 -o lists.jsonl",
        "touchstone interleave a.run b.run c.run --depth 8 -o lists.jsonl",
        "touchstone interleave a.run b.run c.run --method probabilistic --tau 3 --lists 50 -o lists.jsonl",
        "touchstone interleave a.run b.run --method optimised --click-credit linear --lists 20 > lists.jsonl",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "written", REFUSED: "refused: a file has problems, or no topic is in all runs; nothing was written"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "runs", nargs="+", metavar="run", help=f"2 to {MOST_RANKERS}: {RUN_FORMS}; one of them may be -"
        )
        add_method(parser)
        parser.add_argument(
            "--lists", type=int, default=1, metavar="N", help="of each topic, numbered from 1; default: %(default)s"
        )
        add_seed(parser)
        add_output(parser, "the lists, as JSONL")

    def handle(
        self, *, runs: list[str], lists: int, seed: int, output: str | None, force: bool, **options: Any
    ) -> None:
        refuse_two_stdins(runs)
        target = checked_output(output, force=force)
        method = chosen_method(options)
        packed = read_runs(runs, self.stderr)
        with engine_errors():
            all_lists = interleave(packed, method, depth=options["depth"], lists_per_topic=lists, seed=seed)
        if target is None:
            for piece in lists_jsonl(all_lists):
                self.stdout.write(piece.decode(), ending="")
        else:
            written(lists_jsonl(all_lists), target, force=force)
        everywhere, shared = {number for run in packed for number in run.numbers}, len(all_lists.numbers)
        rankers = ", ".join(all_lists.rankers)
        self.stderr.write(f"{all_lists.n_lists} lists of {shared} topics, {method.title} of {rankers}")
        if len(everywhere) > shared:
            self.stderr.write(f"{len(everywhere) - shared} topics are not in all runs, and have no list")


def add_method(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--method", choices=list(METHODS), default="team_draft", help="default: %(default)s")
    parser.add_argument("--depth", type=int, default=DEPTH, metavar="N", help="documents of a list; %(default)s")
    parser.add_argument(
        "--shared-prefix",
        choices=["drafted", "teamless"],
        help="of team draft: whether documents that begin all rankings alike have a team (default) or none",
    )
    parser.add_argument(
        "--click-credit", choices=["inverse", "linear"], help="of optimised: by 1/rank (default) or by rank"
    )
    parser.add_argument(
        "--tau", type=float, metavar="N", help="of probabilistic: rank r is drawn in proportion to 1/r^N; default: 3"
    )


def chosen_method(options: Mapping[str, Any]) -> Any:
    with engine_errors(MisuseError):
        return method_named(options["method"], {name: options[name] for name in PARAMETERS})
