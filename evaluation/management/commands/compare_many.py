"""Which of many runs can be told apart, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import get_args

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import checked_output
from annotation.kernel.commands.progress import Progress
from evaluation.engine.many_runs import DESIGN, OF_MEANS, compare_many
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.significance.corrections import Correction
from evaluation.formats.many_runs import FORMATS
from evaluation.management.command_options import (
    add_files,
    add_format,
    add_measures,
    add_options,
    add_seed,
    comparable_measures,
    design_of,
    engine_errors,
    scoring_of,
    write_notes,
)
from evaluation.management.files import read_judged_runs, refuse_two_stdins, write_text

MEASURES = ("nDCG@10",)


class Command(TouchstoneCommand):
    help = "Say which of many runs can be told apart: groups, ranges of ranks, all pairs. Nothing is stored."
    examples = (
        "touchstone compare_many qrels.txt runs/*.run -m nDCG@10",
        "touchstone compare_many qrels.txt one.run two.run three.run --test t --correction holm --json -o many.json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "compared", REFUSED: "refused: a file has problems, or the runs cannot be compared; nothing was written"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_files(parser, runs="two runs or more")
        add_measures(parser, MEASURES)
        add_options(parser)
        parser.add_argument("--test", choices=OF_MEANS, default=DESIGN.test, help="default: %(default)s")
        parser.add_argument(
            "--correction",
            choices=get_args(Correction),
            default=DESIGN.correction,
            help="of p, for all tests but tukey, which needs none; default: %(default)s",
        )
        parser.add_argument("--alpha", type=float, default=DESIGN.alpha, help="default: %(default)s")
        parser.add_argument(
            "--confidence", type=float, default=DESIGN.confidence, help="of each mean's interval; default: %(default)s"
        )
        parser.add_argument(
            "--draws", type=int, metavar="N", help="permutations, sign vectors or resamples of the test"
        )
        add_seed(parser)
        add_format(parser, FORMATS)

    def handle(  # the options of the command line, by name
        self,
        *,
        qrels: str,
        runs: list[str],
        measure: list[str] | None,
        seed: int,
        format: str | None,  # noqa: A002 (the option's name)
        output: str | None,
        force: bool,
        **rest: object,
    ) -> None:
        refuse_two_stdins([qrels, *runs])
        form = format or ("json" if self.as_json else "table")
        target = checked_output(output, force=force)
        measures, scoring = comparable_measures(measure or MEASURES), scoring_of(rest)
        with engine_errors(MisuseError):
            design = design_of(rest)
        reference, packed = read_judged_runs(qrels, runs, self.stderr)
        with engine_errors(), Progress(self.stderr) as bar:
            bar(0, 0, f"evaluating {len(packed)} runs")
            results = evaluate_runs(packed, reference, measures, **scoring)
            words = [f"comparing by {one}" for one in measures]
            compared = [
                compare_many(results, str(one), design, seed=seed, watch=partial(bar, message=message))
                for one, message in zip(measures, words, strict=True)
            ]
        write_notes(self.stderr, results, reference, measures, scoring["options"])
        write_text(FORMATS[form](compared, seed), target, self.stdout, force=force)
