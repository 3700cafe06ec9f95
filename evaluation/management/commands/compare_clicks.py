"""Judgments and clicks of a log together, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import checked_output
from evaluation.engine.clicks.comparison import Attraction, ClickQuestion, compare_clicks
from evaluation.engine.clicks.corrected import Estimator
from evaluation.formats.click_comparison import comparison_as_facts, comparison_as_text, plot_of_comparison
from evaluation.formats.log.clicks import read_click_counts, read_propensities
from evaluation.formats.plots import ENDINGS
from evaluation.management.command_options import QRELS_FORMS, add_seed, engine_errors
from evaluation.management.files import read_qrels
from evaluation.management.vector_files import file_errors

USUAL = ClickQuestion()


class Command(TouchstoneCommand):
    help = (
        "Set clicks beside judgments: click-through rates of judged pairs, corrected for positions, by grade; and the "
        "pairs that contradict their grade. docs/clicks.md says what is assumed."
    )
    examples = (
        "touchstone compare_clicks qrels.txt clicks.csv --plot clicks.svg",
        "touchstone compare_clicks qrels.txt clicks.parquet --by grade --estimator ratio --json",
        "touchstone compare_clicks qrels.txt clicks.csv --propensities positions.csv",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "compared", REFUSED: "refused: a file has problems, or positions cannot be allowed for"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("qrels", help=f"{QRELS_FORMS}; - reads the standard input")
        parser.add_argument(
            "log", help="CSV, TSV, JSONL or Parquet: topic number, docno, position, clicks and impressions"
        )
        parser.add_argument(
            "--by",
            choices=get_args(Attraction),
            default=USUAL.by,
            help="what attracts alike, where propensities are estimated: a pair at all positions, or all of a grade; "
            "default: %(default)s",
        )
        parser.add_argument(
            "--propensities", metavar="FILE", help="position and propensity a row, in place of estimates"
        )
        parser.add_argument("--eta", type=float, help="the same as (1/position)^eta")
        parser.add_argument(
            "--estimator", choices=get_args(Estimator), default=USUAL.estimator, help="default: %(default)s"
        )
        parser.add_argument("--confidence", type=float, default=USUAL.confidence, help="default: %(default)s")
        parser.add_argument(
            "--q", type=float, default=USUAL.q, help="false discovery rate of contradictions; default: %(default)s"
        )
        parser.add_argument(
            "--resamples", type=int, default=USUAL.n_resamples, metavar="N", help="of topics; %(default)s"
        )
        add_seed(parser)
        parser.add_argument("--plot", metavar="FILE", help="write a plot there: .svg, .png or .pdf")
        parser.add_argument("--force", action="store_true", help="replace the file of the plot if it is there")

    def handle(self, *, qrels: str, log: str, plot: str | None, force: bool, **options: Any) -> None:
        if plot is not None and Path(plot).suffix[1:] not in ENDINGS:
            raise MisuseError(f"--plot {plot}: the file ends in .{', .'.join(ENDINGS)}")
        target = checked_output(plot, force=force)
        with engine_errors(MisuseError):
            question = _question(options)
        judged = read_qrels(qrels, self.stderr)
        with file_errors(log):
            counts = read_click_counts(Path(log), Problems(Path(log).name))
        with engine_errors():
            comparison = compare_clicks(counts, judged, question)
        if target:
            plot_of_comparison(comparison, target)
        self.answer(comparison_as_text(comparison), comparison_as_facts(comparison))


def _question(options: Mapping[str, Any]) -> ClickQuestion:
    by_position, file = None, options["propensities"]
    if file is not None:
        with file_errors(file):
            propensities = read_propensities(Path(file), Problems(Path(file).name))
        by_position = dict(zip(propensities.position.tolist(), propensities.value.tolist(), strict=True))
    same = {name: options[name] for name in ("by", "eta", "estimator", "confidence", "q", "seed")}
    return ClickQuestion(given=by_position, n_resamples=options["resamples"], **same)
