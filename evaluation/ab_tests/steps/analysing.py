"""Analyses of A/B tests: asked for, done in a job, kept under the hash of the log and of what was asked."""

import hashlib
import json
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.formats.problems import Problems
from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.models import Job, User
from annotation.text.counted import counted
from evaluation.ab_tests.read import ANALYSE, is_analysed_now, log_path
from evaluation.engine.ab_tests.analysis import analyse
from evaluation.engine.ab_tests.question import Question
from evaluation.formats.experiment import analysis_as_facts
from evaluation.formats.experiment_question import question_as_object, question_from_object
from evaluation.formats.log.units import read_units
from evaluation.models import Experiment, ExperimentAnalysis

FORM = 1  # of what is stored: a new one is computed anew


class ExperimentUsedError(Exception):
    """The experiment cannot be deleted; the message says why."""


def ask_analysis(experiment: Experiment, question: Question, *, created_by: User | None) -> Job:
    """Queue it."""
    with transaction.atomic():
        record_audit("analysis asked for", actor=created_by, collection=experiment.collection, subject=experiment.name)
        payload = analysis_payload(experiment, question)
        return enqueue(
            ANALYSE, collection=experiment.collection, created_by=created_by, about=experiment.name, **payload
        )


def analysis_payload(experiment: Experiment, question: Question) -> dict[str, Any]:
    return {"experiment": experiment.pk, "asked": question_as_object(question)}


def key_of(experiment: Experiment, question: Question) -> str:
    parts = [FORM, experiment.sha256, experiment.variant, experiment.unit, question_as_object(question)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def analyse_in_job(attempt: JobRun) -> dict[str, object]:
    """The job. What was found before in the same log is not computed again."""
    payload = attempt.job.payload
    experiment = Experiment.objects.filter(pk=payload["experiment"], collection=attempt.job.collection).first()
    if experiment is None:
        raise JobRefusedError("The experiment is not there any more.")
    question = question_from_object(payload["asked"])
    key = key_of(experiment, question)
    with transaction.atomic():
        attempt.fence()
        is_known = experiment.analyses.filter(key=key).update(made_at=timezone.now())
    if not is_known:
        facts = _facts(attempt, experiment, question)
        columns = {"asked": payload["asked"], "facts": facts, "made_at": timezone.now()}
        with transaction.atomic():
            attempt.fence()
            ExperimentAnalysis.objects.update_or_create(experiment=experiment, key=key, defaults=columns)
    return {"experiment": experiment.name}


def _facts(attempt: JobRun, experiment: Experiment, question: Question) -> dict[str, object]:
    def watch_rows(n: int) -> None:
        attempt.report(done=n, total=experiment.n_units, message=f"Read {counted(n, 'unit')}")

    def watch_draws(done: int, total: int) -> None:
        if done % 50 == 0:
            attempt.report(done=done, total=total, message=f"Drew clusters {counted(done, 'time')}")

    problems = Problems(experiment.filename or experiment.name)
    try:
        unit = experiment.unit or None
        units = read_units(
            log_path(experiment), problems, question, variant=experiment.variant, unit=unit, watch=watch_rows
        )
        return analysis_as_facts(analyse(units, question, watch_draws))
    except ValueError as reason:
        raise JobRefusedError(str(reason)) from reason


@transaction.atomic
def delete_experiment(experiment: Experiment, *, actor: User | None) -> None:
    """Its analyses go along; the import and the record stay, and the file, which is named by its content. Raises
    `ExperimentUsedError` while a job analyses it."""
    locked = Experiment.objects.select_for_update().get(pk=experiment.pk)
    if is_analysed_now(locked):
        raise ExperimentUsedError("A job analyses the experiment. It stays.")
    record_audit(
        "experiment deleted",
        actor=actor,
        collection=experiment.collection,
        subject=locked.name,
        sha256=locked.sha256,
    )
    locked.analyses.all().delete()
    locked.delete()
