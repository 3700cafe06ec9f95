"""A folder of runs evaluated, on one machine or a cluster."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output, opened
from annotation.kernel.commands.progress import Progress
from evaluation.engine.measures import DEFAULT_MEASURES
from evaluation.formats.shards.evaluation import EvaluationRequest, evaluate_folder, store_qrels
from evaluation.formats.shards.store import Store
from evaluation.formats.values import MEAN, csv_text
from evaluation.management.command_options import QRELS_FORMS, add_measures, add_options, measures_of, scoring_of
from evaluation.management.executors import add_where, executor_at, refusals_of_parts
from evaluation.management.files import write_text


class Command(TouchstoneCommand):
    help = (
        "Evaluate all runs of a folder against qrels, each as `evaluate` does, and write a table: thousands of runs on "
        "many processes or machines. A run that has been evaluated is not evaluated again, also after a stop."
    )
    examples = (
        "touchstone evaluate_runs qrels.txt runs/ --results values/ -m nDCG@10 -o values.csv",
        "touchstone evaluate_runs qrels.txt runs/ --results values/ --workers 2 --per-topic -o values.csv",
        "touchstone evaluate_runs qrels.txt s3://lab/runs --results s3://lab/values --cluster tcp://head:8786 -o v.csv",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "written", REFUSED: "refused: a run has problems; values of the others stay"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("qrels", help=f"{QRELS_FORMS}; - reads the standard input")
        parser.add_argument("runs", help="the folder of the runs, a file each; or its address for fsspec")
        parser.add_argument("--results", required=True, metavar="FOLDER", help="for the values of each run")
        add_measures(parser)
        add_options(parser)
        add_where(parser)
        parser.add_argument("--per-topic", action="store_true", help="rows of topics, too")
        add_output(parser)

    def handle(
        self,
        *,
        qrels: str,
        runs: str,
        results: str,
        measure: list[str] | None,
        per_topic: bool,
        output: str | None,
        force: bool,
        **options: Any,
    ) -> None:
        target, scoring = checked_output(output, force=force), scoring_of(options)
        if scoring["device"] is not None:
            raise MisuseError("--device is for a run by itself: here every worker computes with numpy.")
        measures = tuple(str(one) for one in measures_of(measure or DEFAULT_MEASURES))
        with opened(qrels) as stream:
            data = stream.read()
        bar = Progress(self.stderr)
        with executor_at(options["workers"], options["cluster"]) as (executor, _), refusals_of_parts(runs, results):
            sha = store_qrels(Store(results), data, qrels)
            request = EvaluationRequest(runs, results, sha, measures, scoring["averaging"], scoring["options"])
            evaluation = evaluate_folder(
                request, executor, progress=lambda done, total: bar(done, total, f"{done} of {total} runs")
            )
            rows = [row for row in evaluation.rows if per_topic or row[2] == MEAN]
        bar.end()
        if self.as_json:
            self.answer("", {"runs": [dict(zip(evaluation.head, row, strict=True)) for row in rows]})
        else:
            write_text(csv_text(evaluation.head, rows), target, self.stdout, force=force)
        self.stderr.write(f"{evaluation.n_runs} runs, {evaluation.n_evaluated} of them evaluated now")
