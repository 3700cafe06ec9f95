"""How sure the order of runs is, from files or from a collection: nothing is stored."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import checked_output
from annotation.kernel.commands.progress import Progress
from evaluation.engine.options import Options
from evaluation.engine.sensitivity.evidence import N_DRAWS, POOL_DEPTH, JudgmentsAnew, Question
from evaluation.engine.sensitivity.study import study
from evaluation.formats.sensitivity import FORMATS
from evaluation.management.command_options import (
    QRELS_FORMS,
    RUN_FORMS,
    add_format,
    add_seed,
    engine_errors,
    measures_of,
)
from evaluation.management.files import write_text
from evaluation.management.sensitivity import evidence_in_collection, evidence_in_files, parted_by_name

MEASURE = "nDCG@10"


class Command(TouchstoneCommand):
    help = "Say how sure the order of runs is: which changes it survives, and shares of draws. Nothing is stored."
    examples = (
        "touchstone sensitivity --collection bees --snapshot 2026-11 --pair bm25 dense",
        "touchstone sensitivity qrels.txt runs/*.run --beside llm=machine.txt --group bert='*bert*'",
        "touchstone sensitivity judgments.tsv runs/*.run --judgments annotators --gold gold.tsv --json -o sure.json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "studied", REFUSED: "refused: a file has problems, or there is no order to study; nothing was written"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("judged", nargs="?", help=f"{QRELS_FORMS}; or judgments of several annotators")
        parser.add_argument("runs", nargs="*", metavar="run", help=f"two runs or more: {RUN_FORMS}")
        _add_judgments(parser)
        _add_collection(parser)
        parser.add_argument("--measure", "-m", default=MEASURE, metavar="NAME", help="default: %(default)s")
        parser.add_argument(
            "--pool-depth", type=int, default=POOL_DEPTH, metavar="N",
            help="how deep a run brought documents to the pool; default: %(default)s",
        )  # fmt: skip
        parser.add_argument(
            "--group", action="append", default=[], metavar="NAME=TAGS",
            help="runs that are left out of the pool together: tags or patterns, with commas between",
        )  # fmt: skip
        parser.add_argument(
            "--pair", nargs=2, action="append", default=[], metavar=("TAG", "TAG"),
            help="two runs whose shares are asked for; neighbours in the order, if none",
        )  # fmt: skip
        parser.add_argument(
            "--anew", choices=get_args(JudgmentsAnew), default="annotators",
            help="judgments anew: annotators left out, or grades from their calibrated probabilities",
        )  # fmt: skip
        parser.add_argument("--draws", type=int, default=N_DRAWS, metavar="N", help="default: %(default)s")
        add_seed(parser)
        add_format(parser, FORMATS)

    def handle(
        self,
        *,
        format: str | None,  # noqa: A002 (the option's name)
        output: str | None,
        force: bool,
        **options: Any,
    ) -> None:
        form, target = format or ("json" if self.as_json else "table"), checked_output(output, force=force)
        question = _question(options)
        if options["collection"]:
            evidence, question = evidence_in_collection(options, question)
        elif options["judged"] and len(options["runs"]) > 1:
            evidence = evidence_in_files(options, self.stderr)
        else:
            raise MisuseError("Name judgments and two runs at least, or a collection and a snapshot.")
        watch = Progress(self.stderr)
        try:
            with engine_errors():
                studied = study(evidence, question, watch)
        finally:
            watch.end()
        write_text(FORMATS[form](studied), target, self.stdout, force=force)


def _add_judgments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--judgments", choices=["qrels", "annotators"], default="qrels", help="what the first file holds: %(default)s"
    )
    parser.add_argument("--gold", metavar="FILE", help="pairs whose grade is known: whom to believe, and how often")
    parser.add_argument(
        "--policy", metavar="FILE", help="a JSON object of parameters; default: built in, without gold all are believed"
    )
    parser.add_argument("--max-grade", type=int, metavar="N", help="the top of the scale (default: the highest grade)")
    parser.add_argument(
        "--beside", action="append", default=[], metavar="NAME=FILE",
        help="other qrels of the same pairs, a machine judge's say; with --collection the name of a snapshot",
    )  # fmt: skip


def _add_collection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--collection", metavar="NAME", help="in place of files: its snapshot and runs")
    parser.add_argument("--snapshot", metavar="NAME", help="of the collection")
    parser.add_argument("--run", action="append", default=[], metavar="TAG", help="of the collection; all, if none")


def _question(options: Mapping[str, Any]) -> Question:
    chosen, *others = measures_of([options["measure"]])
    if others:
        raise MisuseError(f"Runs are put in order by one measure, not by {1 + len(others)}.")
    groups = {name: tags.split(",") for name, tags in parted_by_name(options["group"], "--group").items()}
    with engine_errors(MisuseError):
        return Question(
            measure=chosen,
            options=Options(max_grade=options["max_grade"]),
            pool_depth=options["pool_depth"],
            groups=groups,
            named=[(first, second) for first, second in options["pair"]],
            judgments_anew=options["anew"],
            n_draws=options["draws"],
            seed=options["seed"],
        )
