"""Which of several runs are better, and how surely, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import cast

import numpy as np

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import checked_output
from evaluation.engine.comparison import Comparison
from evaluation.engine.conclusions import compare_by
from evaluation.engine.order_agreement import order_agreements
from evaluation.engine.scorer import evaluate_runs
from evaluation.formats.comparison import FORMATS
from evaluation.formats.names import safe_name
from evaluation.formats.plots import Estimate, plot_differences, plot_topics
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
        **rest: object,
    ) -> None:
        refuse_two_stdins([qrels, *runs])
        form = format or ("json" if self.as_json else "table")
        target = checked_output(output, force=force)
        measures, scoring, folder = comparable_measures(measure or MEASURES), scoring_of(rest), checked_folder(plot)
        with engine_errors(MisuseError):
            design = design_of(rest)
        reference, packed = read_judged_runs(qrels, runs, self.stderr)
        with engine_errors():
            results = evaluate_runs(packed, reference, measures, **scoring)
            rng = np.random.default_rng(seed)
            comparisons = compare_by(map(str, measures), results, design, rng=rng, seed=seed)
        write_notes(self.stderr, results, reference, measures, scoring["options"])
        text = FORMATS[form](comparisons, order_agreements(comparisons), seed)
        write_text(text, target, self.stdout, force=force)
        for comparison in comparisons if folder else ():
            for path in _plots(comparison, cast("Path", folder), plot_format):
                self.stderr.write(f"wrote {path}")


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
