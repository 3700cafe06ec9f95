"""Runs against qrels, from files: nothing is stored and the database is not touched."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Unpack

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import checked_output
from annotation.kernel.commands.foundation import OutputWrapper
from evaluation.engine.measures import Measure
from evaluation.engine.options import DEFAULT_OPTIONS
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import MeasureValues, Scoring
from evaluation.engine.unjudged import top_case, with_beyond
from evaluation.formats.notes import case_notes
from evaluation.formats.values import FORMATS
from evaluation.management.command_options import (
    add_files,
    add_measures,
    add_options,
    add_output,
    checked_folder,
    cutoffs_of,
    engine_errors,
    measures_of,
    scoring_of,
    write_notes,
)
from evaluation.management.files import read_file, read_runs, refuse_strangers, refuse_two_stdins, write_text
from evaluation.management.judgments import NAMES, kind_of

CUTOFFS = (1, 3, 5, 10, 20, 50, 100)


class Command(TouchstoneCommand):
    help = "Evaluate runs against qrels, from files in any form that imports read. Nothing is stored."
    examples = (
        "touchstone evaluate qrels.txt bm25.run dense.run -m nDCG@10 -m 'AP(rel=2)'",
        "zcat bm25.run.gz | touchstone evaluate qrels.txt - --per-topic --json -o bm25.json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "evaluated",
            REFUSED: "refused: a file has problems, or a run no topic of the qrels; nothing was written",
        }
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_files(parser, runs="one run or more")
        parser.add_argument(
            "--judgments",
            choices=NAMES,
            default="qrels",
            help="what the qrels file holds: subtopics, inclusion probabilities (prels) or strata; each kind has "
            "measures of its own (default: %(default)s)",
        )
        add_measures(parser)
        add_options(parser)
        parser.add_argument(
            "--bounds",
            action="store_true",
            help="besides each run, what it would have if all it retrieved unjudged were of the top grade",
        )
        parser.add_argument(
            "--abstention",
            action="store_true",
            help="instead of the values nAUC: how well a run's scores tell the topics that it serves badly",
        )
        parser.add_argument("--per-topic", "-q", action="store_true", help="each topic's values, then the mean")
        add_output(parser, FORMATS, plots="means, and measures by their cutoff")
        parser.add_argument(
            "--cutoffs",
            type=cutoffs_of,
            default=CUTOFFS,
            metavar="K,K…",
            help=f"the cutoffs of the plots (default: {','.join(map(str, CUTOFFS))})",
        )

    def handle(  # the options of the command line, by name
        self,
        *,
        qrels: str,
        runs: list[str],
        judgments: str,
        measure: list[str] | None,
        bounds: bool,
        abstention: bool,
        per_topic: bool,
        format: str | None,  # noqa: A002 (the option's name)
        output: str | None,
        force: bool,
        plot: str | None,
        plot_format: str,
        cutoffs: tuple[int, ...],
        **rest: object,
    ) -> None:
        refuse_two_stdins([qrels, *runs])
        form = format or ("json" if self.as_json else "table")
        target = checked_output(output, force=force)
        kind, scoring, folder = kind_of(judgments), scoring_of(rest), checked_folder(plot)
        measures = measures_of(measure or kind.default, kind.measures)
        reference = read_file(qrels, kind.parse, self.stderr)
        packed = read_runs(runs, self.stderr)
        refuse_strangers(runs, packed, qrels, kind.topics(reference))

        def evaluate(measures: Sequence[Measure]) -> list[MeasureValues]:
            with engine_errors():
                return kind.evaluate(packed, reference, measures, **scoring)

        results = evaluate(measures)
        write_notes(self.stderr, results, reference, measures, scoring["options"])
        rows = results
        if bounds:
            cases = self._upper_cases(packed, reference, measures, **scoring)
            rows = [one for pair in zip(results, cases, strict=True) for one in pair]
        text = _nauc(packed, results, form, self.stderr) if abstention else FORMATS[form](rows, per_topic=per_topic)
        write_text(text, target, self.stdout, force=force)
        if folder is not None:
            from evaluation.management.plots import write_plots

            for path in write_plots(results, evaluate, measures, folder=folder, ending=plot_format, cutoffs=cutoffs):
                self.stderr.write(f"wrote {path}")

    def _upper_cases(
        self, runs: Sequence[PackedRun], reference: object, measures: Sequence[Measure], **scoring: Unpack[Scoring]
    ) -> list[MeasureValues]:
        if not isinstance(reference, Qrels):
            raise MisuseError("--bounds needs ordinary qrels")
        with engine_errors():
            cases = [_upper_case(run, reference, measures, **scoring) for run in runs]
        for note in case_notes(measures, cases[0].top_grade):
            self.stderr.write(note)
        return cases


def _upper_case(run: PackedRun, qrels: Qrels, measures: Sequence[Measure], **scoring: Unpack[Scoring]) -> MeasureValues:
    """An evaluation marked by its tag: where a measure has bounds its upper one, else the scenario.

    Raises `ValueError` as `unjudged.scenarios`.
    """
    case = top_case(run, qrels, measures, **scoring)
    depth = scoring.get("options", DEFAULT_OPTIONS).depth
    return replace(with_beyond(run, case, measures, depth), tag=f"{run.tag} (unjudged as top)")


def _nauc(runs: Sequence[PackedRun], results: Sequence[MeasureValues], form: str, stderr: OutputWrapper) -> str:
    from evaluation.engine.abstention import abstention
    from evaluation.formats.abstention import FORMATS as FORMATS_OF_NAUC

    if form not in FORMATS_OF_NAUC:
        raise MisuseError(f"--abstention is written as {', '.join(FORMATS_OF_NAUC)}, not {form}")
    with engine_errors():
        each = [(one, abstention(run, one)) for run, one in zip(runs, results, strict=True)]
    for one, values in each:
        without = [name for name, value in zip(one.measures, values.max, strict=True) if value is None]
        if without:
            stderr.write(f"{one.tag}: no nAUC of {', '.join(without)}: it has the same value for all topics of the run")
    return FORMATS_OF_NAUC[form](each)
