"""An A/B test from a log of its units: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from evaluation.engine.experiments.always_valid import EVENTS, NARROWEST_AT, START
from evaluation.engine.experiments.analysis import Question, analyse
from evaluation.engine.experiments.guardrails import Margin
from evaluation.engine.experiments.sample_ratio import THRESHOLD
from evaluation.engine.significance.corrections import CORRECTIONS
from evaluation.formats.experiment import analysis_as_facts, analysis_as_text
from evaluation.formats.log.units import read_moments
from evaluation.management.command_options import engine_errors
from evaluation.management.vector_files import file_errors


class Command(TouchstoneCommand):
    help = (
        "Analyse an A/B test from a log of its units: sample ratio first, then differences with intervals, fixed and "
        "always valid, and guardrails. docs/experiments.md says what the figures mean."
    )
    examples = (
        "touchstone analyse_experiment log.csv --variant arm --unit user --control A --measure bought --measure spent",
        "touchstone analyse_experiment log.parquet --variant arm --control A --ratio clicks/views --covariate before",
        "touchstone analyse_experiment log.tsv --variant arm --control A --measure bought --guardrail views=-1% --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "analysed", REFUSED: "refused: the log has problems, or a measure cannot be analysed"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("log", help="CSV, TSV, JSONL or Parquet: a row a unit, each unit once")
        parser.add_argument("--variant", required=True, metavar="COLUMN", help="which column names the variant")
        parser.add_argument("--control", required=True, metavar="NAME", help="the variant beside which others are set")
        parser.add_argument(
            "--unit", metavar="COLUMN", help="which one names the unit; one that stands twice is refused"
        )
        parser.add_argument(
            "--measure", dest="measures", action="append", default=[], metavar="COLUMN", help="a mean over units"
        )
        parser.add_argument("--ratio", action="append", default=[], metavar="NUM/DEN", help="a ratio of two sums")
        parser.add_argument("--covariate", metavar="COLUMN", help="measured before assignment; saves variance (CUPED)")
        parser.add_argument(
            "--guardrail",
            action="append",
            default=[],
            metavar="COLUMN=MARGIN",
            help="the change that is too much: -0.01 a fall, 20 a rise, -1%% by the control's value",
        )
        parser.add_argument(
            "--share", action="append", default=[], metavar="VARIANT=SHARE", help="of units; default: equal"
        )
        add_levels(parser)

    def handle(self, *, log: str, variant: str, unit: str | None, **options: Any) -> None:
        with engine_errors():
            question = question_of(options)
        with engine_errors(), file_errors(log):
            problems = Problems(Path(log).name)
            groups = read_moments(Path(log), problems, variant=variant, columns=question.columns, unit=unit)
        with engine_errors():
            found = analyse(groups, question)
        self.answer(analysis_as_text(found), analysis_as_facts(found))


def add_levels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--alpha", type=float, default=0.05, help="of tests and intervals; default: %(default)s")
    parser.add_argument("--correction", choices=CORRECTIONS, default="holm", help="default: %(default)s")
    parser.add_argument(
        "--threshold", type=float, default=THRESHOLD, help="of the sample ratio's p; default: %(default)s"
    )
    parser.add_argument(
        "--start",
        type=int,
        default=START,
        metavar="N",
        help="units a group from which looks begin; default: %(default)s",
    )
    parser.add_argument(
        "--events", type=int, default=EVENTS, metavar="N", help="the same of events; default: %(default)s"
    )
    parser.add_argument(
        "--narrowest-at",
        type=int,
        default=NARROWEST_AT,
        metavar="N",
        help="units of both groups at which always-valid intervals are narrowest; default: %(default)s",
    )


def question_of(options: Mapping[str, Any]) -> Question:
    same = ("control", "covariate", "alpha", "correction", "threshold", "start", "events", "narrowest_at")
    return Question(
        measures=tuple(options["measures"]),
        ratios=tuple(_ratio(text) for text in options["ratio"]),
        guardrails=tuple(margin_of(text) for text in options["guardrail"]),
        shares={name: number for name, number, _ in map(_named, options["share"])} or None,
        **{name: options[name] for name in same},
    )


def margin_of(text: str) -> Margin:
    """COLUMN=MARGIN; with % it is a share of the control's value."""
    name, number, per_cent = _named(text)
    return Margin(name, number / 100 if per_cent else number, relative=per_cent)


def _ratio(text: str) -> tuple[str, str]:
    above, slash, below = text.partition("/")
    if not (above and slash and below) or above == below:
        raise MisuseError(f"--ratio {text}: two columns are expected, NUM/DEN")
    return above, below


def _named(text: str) -> tuple[str, float, bool]:
    name, _, number = text.rpartition("=")
    try:
        return name, float(number.removesuffix("%")), number.endswith("%")
    except ValueError as fault:
        raise MisuseError(f"{text}: NAME=NUMBER is expected") from fault
