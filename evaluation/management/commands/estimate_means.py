"""What runs would have over all queries of a log, from a sample of them: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, TouchstoneCommand
from annotation.kernel.commands.files import checked_output
from evaluation.engine.sampling.topics import estimate_measures
from evaluation.engine.scorer import evaluate_runs
from evaluation.formats.estimates import FORMATS
from evaluation.formats.log.query_sample import read_sample
from evaluation.management.command_options import (
    add_files,
    add_format,
    add_measures,
    add_options,
    comparable_measures,
    engine_errors,
    scoring_of,
    write_notes,
)
from evaluation.management.files import read_judged_runs, refuse_two_stdins, write_text
from evaluation.management.vector_files import file_errors

MEASURES = ("nDCG@10",)


class Command(TouchstoneCommand):
    help = (
        "Estimate the means of runs over all queries, and over all traffic, from judged topics that are a sample with "
        "known inclusion probabilities. Nothing is stored."
    )
    examples = (
        "touchstone estimate_means qrels.txt bm25.run dense.run --sample topics.tsv -m nDCG@10",
        "touchstone estimate_means qrels.txt bm25.run --sample topics.tsv --confidence 0.9 --json -o means.json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "estimated", REFUSED: "refused: a file has problems, or the sample does not belong to the judgments"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_files(parser, runs="one run or more")
        parser.add_argument(
            "--sample", required=True, metavar="FILE", help="the topics of sample_queries: number, stratum, probability"
        )
        add_measures(parser, MEASURES)
        add_options(parser)
        parser.add_argument("--confidence", type=float, default=0.95, help="of each interval; default: %(default)s")
        add_format(parser, FORMATS)

    def handle(  # the options of the command line, by name
        self,
        *,
        qrels: str,
        runs: list[str],
        sample: str,
        measure: list[str] | None,
        confidence: float,
        format: str | None,  # noqa: A002 (the option's name)
        output: str | None,
        force: bool,
        **rest: object,
    ) -> None:
        refuse_two_stdins([qrels, *runs])
        form = format or ("json" if self.as_json else "table")
        target = checked_output(output, force=force)
        measures, scoring = comparable_measures(measure or MEASURES), scoring_of(rest)
        with file_errors(sample):
            topics = read_sample(Path(sample), Problems(Path(sample).name))
        reference, packed = read_judged_runs(qrels, runs, self.stderr)
        with engine_errors():
            results = evaluate_runs(packed, reference, measures, **scoring)
            estimates = [
                one
                for result in results
                for one in estimate_measures(
                    result,
                    number=topics.number,
                    stratum=topics.stratum,
                    probability=topics.probability,
                    count=topics.count,
                    confidence=confidence,
                )
            ]
        write_notes(self.stderr, results, reference, measures, scoring["options"])
        if missing := estimates[0].n_missing:
            self.stderr.write(f"{missing} sampled topics have no value: the others of their stratum stand for them")
        write_text(FORMATS[form](estimates), target, self.stdout, force=force)
