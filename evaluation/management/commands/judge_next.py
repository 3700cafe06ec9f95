"""Which unjudged pairs would tell most about how runs stand to each other, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import checked_output
from annotation.kernel.commands.progress import Progress
from evaluation.engine.judge_next import judge_next
from evaluation.formats.judge_next import FORMATS
from evaluation.management.command_options import add_choice, add_files, add_format, comparable_measures, engine_errors
from evaluation.management.files import read_judged_runs, refuse_two_stdins, write_text

MEASURE = "nDCG@10"


class Command(TouchstoneCommand):
    help = (
        "Rank the unjudged pairs of runs by how much a judgment of each would change: the difference of two runs, or "
        "the order of the best of several. Nothing is stored; `leaderboard judge-next` makes a pool in a collection."
    )
    examples = (
        "touchstone judge_next qrels.txt bm25.run dense.run -m nDCG@10 --depth 20",
        "touchstone judge_next qrels.txt runs/*.run --best 5 --pairs 200 --format csv -o next.csv",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "ranked", REFUSED: "refused: a file has problems, or there is nothing to rank; nothing was written"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_files(parser, runs="two runs or more")
        parser.add_argument("--measure", "-m", default=MEASURE, metavar="NAME", help="default: %(default)s")
        add_choice(parser)
        words = "the top of the scale, up to which a pair may be graded (default: the qrels' highest)"
        parser.add_argument("--max-grade", type=int, metavar="N", help=words)
        add_format(parser, FORMATS)

    def handle(  # the options of the command line, by name
        self,
        *,
        qrels: str,
        runs: list[str],
        measure: str,
        depth: int,
        best: int,
        pairs: int,
        max_grade: int | None,
        format: str | None,  # noqa: A002 (the option's name)
        output: str | None,
        force: bool,
        **_: object,
    ) -> None:
        refuse_two_stdins([qrels, *runs])
        form = format or ("json" if self.as_json else "table")
        target = checked_output(output, force=force)
        chosen, *others = comparable_measures([measure])
        if others:
            raise MisuseError(f"{measure} is several measures: name one.")
        if pairs < 1:
            raise MisuseError(f"At least one pair is ranked, not {pairs}.")
        reference, packed = read_judged_runs(qrels, runs, self.stderr)
        with engine_errors(), Progress(self.stderr) as bar:
            asked = judge_next(packed, reference, chosen, depth=depth, best=best, top=max_grade, n=pairs, watch=bar)
        write_text(FORMATS[form](asked), target, self.stdout, force=force)
