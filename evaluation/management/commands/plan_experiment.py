"""How large an experiment must be: nothing is read, nothing is stored."""

import argparse
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, get_args

from annotation.kernel.commands.base import DONE, REFUSED, TouchstoneCommand
from evaluation.engine.planning.plan import POWER, Design, Question, plan
from evaluation.formats.plan import as_facts, as_words
from evaluation.management.command_options import engine_errors

USUAL = Question()


class Command(TouchstoneCommand):
    help = (
        "Say how large an experiment must be, which difference it can show, or with which power: two groups, paired "
        "topics, or an interval of a wanted width. docs/planning.md has the formulas."
    )
    examples = (
        "touchstone plan_experiment groups --rate 0.15 --relative 0.01",
        "touchstone plan_experiment groups --rate 0.15 --n 10000 --tests 3 --json",
        "touchstone plan_experiment topics --deviation 0.2 --difference 0.03 --power 0.9",
        "touchstone plan_experiment interval --deviation 0.25 --width 0.05",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "planned", REFUSED: "refused: too little or too much is said, or no experiment is large enough"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("design", choices=get_args(Design))
        parser.add_argument("--rate", type=float, help="the share of units with the outcome, as it is today")
        parser.add_argument("--baseline", type=float, help="the mean as it is today, for --relative")
        parser.add_argument("--deviation", type=float, help="standard deviation; of topics, that of their differences")
        parser.add_argument("--difference", type=float, help="the smallest that matters, in the measure's unit")
        parser.add_argument("--relative", type=float, help="the same as a share of the rate or the baseline")
        parser.add_argument("--width", type=float, metavar="HALF", help="of an interval: its ±")
        parser.add_argument("--n", type=int, help="units of the first group, or topics, where these are known")
        parser.add_argument("--power", type=float, help=f"default: {POWER}, unless it is the answer")
        parser.add_argument("--alpha", type=float, default=USUAL.alpha, help="two-sided; default: %(default)s")
        parser.add_argument(
            "--tests", dest="n_tests", type=int, default=USUAL.n_tests, metavar="N", help="tests that share alpha"
        )
        parser.add_argument(
            "--ratio", type=float, default=USUAL.ratio, help="the second group by the first; default: %(default)s"
        )
        parser.add_argument(
            "--cluster-size", type=float, default=USUAL.cluster_size, metavar="M", help="mean units of a cluster"
        )
        parser.add_argument(
            "--correlation", type=float, default=USUAL.correlation, metavar="RHO", help="between units of a cluster"
        )
        parser.add_argument(
            "--size-variation", type=float, default=USUAL.size_variation, metavar="CV", help="of the clusters' sizes"
        )

    def handle(self, **options: Any) -> None:
        question = Question(**{field.name: options[field.name] for field in fields(Question)})
        with engine_errors():
            answer = plan(question)
        self.answer(as_words(answer), as_facts(answer))
