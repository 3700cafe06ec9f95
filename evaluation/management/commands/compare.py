"""Which of several runs are better, and how surely, from files: nothing is stored."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import cast

import numpy as np

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import checked_output
from annotation.kernel.commands.progress import Progress
from evaluation.engine.comparison import Comparison
from evaluation.engine.conclusions import compare_by
from evaluation.engine.measures.base import Measure
from evaluation.engine.options import Options
from evaluation.engine.order_agreement import order_agreements
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.side_by_side import SideBySide, side_by_side
from evaluation.formats.comparison import FORMATS
from evaluation.formats.names import safe_name
from evaluation.formats.plots import Estimate, plot_differences, plot_topics
from evaluation.formats.side_by_side import FORMATS as BESIDE
from evaluation.management.command_options import (
    add_design,
    add_files,
    add_measures,
    add_options,
    add_output,
    checked_folder,
    comparable_measures,
    design_of,
    engine_errors,
    scoring_of,
    write_notes,
)
from evaluation.management.files import (
    read_judged_runs,
    refuse_two_stdins,
    write_text,
)

MEASURES = ("nDCG@10", "AP")
FEW = 10  # pairs whose topics are drawn one by one


class Command(TouchstoneCommand):
    help = "Compare runs pair by pair: differences, intervals, tests, effect sizes. Nothing is stored."
    examples = (
        "touchstone compare qrels.txt bm25.run dense.run -m nDCG@10 --baseline bm25",
        "touchstone compare qrels.txt bm25.run dense.run -m nDCG@10 --topic 301",
        "touchstone compare qrels.txt one.run two.run three.run --test tukey --json -o comparison.json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "compared", REFUSED: "refused: a file has problems, or the runs cannot be compared; nothing was written"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_files(parser, runs="two runs or more")
        add_measures(parser, MEASURES)
        add_options(parser)
        add_design(parser)
        add_output(parser, FORMATS, plots="differences, and those of each topic")
        words = "two runs on this topic alone, by one measure: which documents make their difference"
        parser.add_argument("--topic", metavar="NUMBER", help=words)

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
        plot: str | None,
        plot_format: str,
        topic: str | None,
        **rest: object,
    ) -> None:
        refuse_two_stdins([qrels, *runs])
        form = format or ("json" if self.as_json else "table")
        target = checked_output(output, force=force)
        measures, scoring, folder = comparable_measures(measure or MEASURES), scoring_of(rest), checked_folder(plot)
        with engine_errors(MisuseError):
            design = design_of(rest)
        reference, packed = read_judged_runs(qrels, runs, self.stderr)
        if topic is not None:
            beside = _beside(packed, reference, topic, measures[0], scoring["options"])
            write_text(_form_of_topic(form)(beside), target, self.stdout, force=force)
            return
        with engine_errors(), Progress(self.stderr) as bar:
            bar(0, 0, f"evaluating {len(packed)} runs")
            results = evaluate_runs(packed, reference, measures, **scoring)
            rng = np.random.default_rng(seed)
            comparisons = compare_by(map(str, measures), results, design, rng=rng, seed=seed, watch=bar)
        write_notes(self.stderr, results, reference, measures, scoring["options"])
        text = FORMATS[form](comparisons, order_agreements(comparisons), seed)
        write_text(text, target, self.stdout, force=force)
        for comparison in comparisons if folder else ():
            for path in _plots(comparison, cast("Path", folder), plot_format):
                self.stderr.write(f"wrote {path}")


def _form_of_topic(form: str) -> Callable[[SideBySide], str]:
    if form not in BESIDE:
        raise MisuseError(f"A topic is written as {', '.join(BESIDE)}, not {form}.")
    return BESIDE[form]


def _beside(
    packed: Sequence[PackedRun], reference: Qrels, topic: str, measure: Measure, options: Options
) -> SideBySide:
    if len(packed) != 2:
        raise MisuseError(f"Two runs are set side by side, not {len(packed)}.")
    first, second = packed
    options = options if options.max_grade else replace(options, max_grade=max(1, int(reference.grade.max())))
    with engine_errors():
        return side_by_side((first, second), reference, topic, measure, options)


def _plots(comparison: Comparison, folder: Path, ending: str) -> list[Path]:
    confidence = comparison.pairs[0].interval.confidence
    differences = {
        f"{pair.first} − {pair.second}": Estimate(pair.interval.mean, pair.interval.low, pair.interval.high)
        for pair in comparison.pairs
    }
    written = [folder / f"differences_{safe_name(comparison.measure)}.{ending}"]
    plot_differences(differences, measure=comparison.measure, path=written[0], confidence=confidence)
    for n, pair in enumerate(comparison.pairs if len(comparison.pairs) <= FEW else (), 1):
        written.append(folder / f"topics_{safe_name(comparison.measure)}_{n}.{ending}")
        title = f"{pair.first} − {pair.second}, {comparison.measure}"
        plot_topics(pair.difference, comparison.numbers, title=title, path=written[-1])
    return written
