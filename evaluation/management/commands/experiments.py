"""A/B tests of a collection: listed, analysed, deleted. `import experiment` brings their logs in."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.group import GroupCommand
from annotation.kernel.commands.naming import add_collection, add_dry_run, collection_named, trial
from annotation.kernel.commands.progress import Progress
from annotation.kernel.jobs import work_here
from annotation.models import Collection, Job
from evaluation.ab_tests.read import ANALYSE, analyses_of, experiment_named, experiments_of
from evaluation.ab_tests.steps.analysing import ExperimentUsedError, analysis_payload, delete_experiment, key_of
from evaluation.formats.experiment_question import question_as_object, question_of
from evaluation.formats.values import aligned
from evaluation.management.command_options import engine_errors
from evaluation.management.experiment_options import add_question
from evaluation.models import Experiment

FACTS = ("name", "n_units", "n", "variant", "unit", "numbers", "texts", "form", "sha256")


class ListExperiments(TouchstoneCommand):
    help = "List the A/B tests of a collection."
    examples = ("touchstone experiments list bees --json",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        facts = [{name: getattr(one, name) for name in FACTS} for one in experiments_of(collection_named(collection))]
        rows = [[one["name"], str(one["n_units"]), ", ".join(one["n"]), ", ".join(one["numbers"])] for one in facts]
        self.answer("\n".join(aligned([["name", "units", "variants", "numbers"], *rows], n_names=1)), facts)


class AnalyseStored(TouchstoneCommand):
    help = (
        "Analyse an A/B test of a collection, as its page does: the numbers of `analyse_experiment`. What was found "
        "before in the same log is not computed again."
    )
    examples = (
        "touchstone experiments analyse bees checkout --control A --measure bought --guardrail seconds=0.2",
        "touchstone experiments analyse bees checkout --control A --measure bought --time joined --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "analysed, or with --dry-run: could be asked", REFUSED: "refused: a measure cannot be analysed"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("name", help="what the experiment is called")
        add_question(parser)
        add_dry_run(parser)

    def handle(self, *, collection: str, name: str, dry_run: bool, **options: Any) -> None:
        experiment = _experiment_named(collection_named(collection), name)
        with engine_errors():
            question = question_of(options)
        if dry_run:
            self.answer("could be asked", {"asked": question_as_object(question)})
            return
        watch = Progress(self.stderr)
        try:
            payload = analysis_payload(experiment, question)
            job = work_here(ANALYSE, collection=experiment.collection, created_by=None, watch=watch, **payload)
        finally:
            watch.end()
        if job.state != Job.State.DONE:
            raise RefusedError(job.error or f"The job ended as {job.state}.")
        stored = analyses_of(experiment).get(key=key_of(experiment, question))
        self.answer("\n".join(stored.facts["conclusion"]), stored.facts)


class DeleteExperiment(TouchstoneCommand):
    help = "Delete an A/B test and its analyses."
    examples = ("touchstone experiments delete bees checkout --dry-run",)
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "deleted, or with --dry-run: could be", REFUSED: "refused: a job analyses it"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("name", help="what the experiment is called")
        add_dry_run(parser)

    def handle(self, *, collection: str, name: str, dry_run: bool, **_options: object) -> None:
        experiment = _experiment_named(collection_named(collection), name)
        facts = {each: getattr(experiment, each) for each in FACTS}
        try:
            with trial(dry_run=dry_run):
                delete_experiment(experiment, actor=None)
        except ExperimentUsedError as reason:
            raise RefusedError(str(reason)) from reason
        done = "could be deleted" if dry_run else "deleted"
        self.answer(f"{done}: {experiment}", {**facts, "deleted": not dry_run})


class Command(GroupCommand):
    help = "A/B tests of a collection: list them, analyse them, delete them."
    deeds = {"list": ListExperiments, "analyse": AnalyseStored, "delete": DeleteExperiment}


def _experiment_named(collection: Collection, name: str) -> Experiment:
    experiment = experiment_named(collection, name)
    if experiment is None:
        raise MisuseError(f"There is no experiment {name} in this collection.")
    return experiment
