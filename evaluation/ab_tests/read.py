"""Experiments of a collection, and their analyses."""

from pathlib import Path

from django.db.models import QuerySet

from annotation.kernel.jobs import LIVE
from annotation.kernel.store import path_of
from annotation.models import Collection, Job
from evaluation.models import Experiment, ExperimentAnalysis

ANALYSE = "analyse_experiment"


def experiments_of(collection: Collection) -> QuerySet[Experiment]:
    return Experiment.objects.filter(collection=collection).select_related("created_by").order_by("name")


def experiment_named(collection: Collection, name: str) -> Experiment | None:
    return None if "\0" in name else experiments_of(collection).filter(name=name).first()


def log_path(experiment: Experiment) -> Path:
    return path_of(experiment.sha256)


def analyses_of(experiment: Experiment) -> QuerySet[ExperimentAnalysis]:
    """What was asked last, first."""
    return ExperimentAnalysis.objects.filter(experiment=experiment).order_by("-made_at", "-pk")


def analysis_jobs(experiment: Experiment) -> QuerySet[Job]:
    """The newest first."""
    jobs = Job.objects.filter(collection=experiment.collection_id, kind=ANALYSE)
    return jobs.filter(payload__experiment=experiment.pk).order_by("-pk")


def is_analysed_now(experiment: Experiment) -> bool:
    return analysis_jobs(experiment).filter(state__in=LIVE).exists()
