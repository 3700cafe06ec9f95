"""An A/B test from a log of its units: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, TouchstoneCommand
from evaluation.engine.ab_tests.analysis import analyse
from evaluation.formats.experiment import analysis_as_facts, analysis_as_text
from evaluation.formats.experiment_question import question_of
from evaluation.formats.log.units import read_units
from evaluation.management.command_options import engine_errors
from evaluation.management.experiment_options import add_question
from evaluation.management.vector_files import file_errors


class Command(TouchstoneCommand):
    help = (
        "Analyse an A/B test from a log of its units: sample ratio first, then differences with intervals, fixed and "
        "always valid, and guardrails. docs/experiments.md says what the figures mean."
    )
    examples = (
        "touchstone analyse_experiment log.csv --variant arm --unit user --control A --measure bought --measure spent",
        "touchstone analyse_experiment log.parquet --variant arm --control A --ratio clicks/views --covariate before",
        "touchstone analyse_experiment log.csv --variant arm --control A --measure bought --time day --segment land",
        "touchstone analyse_experiment sessions.csv --variant arm --control A --measure bought --cluster user",
        "touchstone analyse_experiment log.tsv --variant arm --control A --measure bought --guardrail views=-1% --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "analysed", REFUSED: "refused: the log has problems, or a measure cannot be analysed"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("log", help="CSV, TSV, JSONL or Parquet: a row a unit, each unit once")
        parser.add_argument("--variant", required=True, metavar="COLUMN", help="which column names the variant")
        parser.add_argument(
            "--unit", metavar="COLUMN", help="which one names the unit; one that stands twice is refused"
        )
        add_question(parser)

    def handle(self, *, log: str, variant: str, unit: str | None, **options: Any) -> None:
        with engine_errors():
            question = question_of(options)
        with engine_errors(), file_errors(log):
            problems = Problems(Path(log).name)
            units = read_units(Path(log), problems, question, variant=variant, unit=unit)
        with engine_errors():
            analysis = analyse(units, question)
        self.answer(analysis_as_text(analysis), analysis_as_facts(analysis))
