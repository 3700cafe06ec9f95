"""What researchers have on each of their pages: evaluations, vectors, experiments, pools that grow, series."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import (
    Collection,
    Snapshot,
    User,
)
from evaluation.ab_tests.steps.analysing import ask_analysis
from evaluation.accounting.steps.requests import ask_accounting, ask_policies
from evaluation.beyond.steps.asking import Asked, vectors_source
from evaluation.beyond.steps.asking import ask_description as ask_beyond
from evaluation.engine.ab_tests.guardrails import Margin
from evaluation.engine.ab_tests.question import Question
from evaluation.engine.adaptive.methods import METHODS
from evaluation.engine.comparison import Design
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import (
    Run,
    SeriesPoint,
    VectorSet,
)
from evaluation.pooling.read import Growth
from evaluation.pooling.steps.growing import start_growing
from evaluation.pooling.steps.replaying import ReplayAsked, ask_replay
from evaluation.reports.steps import ask_report
from evaluation.sensitivity.steps import ask_sensitivity
from evaluation.series.steps.alerts import add_note
from evaluation.series.steps.making import create_series
from evaluation.series.steps.points import NewPoint, add_points
from evaluation.vectors.forms import ModelComparisonForm
from evaluation.vectors.steps.comparing import ask_comparison
from evaluation.vectors.steps.describing import ask_description
from tests.evaluation.ab_tests.made import make_experiment
from tests.factories import make_run, make_vectors

RUN = "1 Q0 d1 1 9.5 {tag}\n1 Q0 d3 2 8.5 {tag}\n1 Q0 d2 3 7.5 {tag}\n2 Q0 d4 1 3.5 {tag}\n2 Q0 d9 2 2.5 {tag}\n"
LONG_TAG = "bm25+rm3.title-and-description.k1=0.9,b=0.4"
LONG_DOCNO = "crawl-2024-11/segment-0000017/part-00042-c000.warc.gz#record-000000123456789"
LONG_MODEL = "some-organisation/sentences-multilingual-base-384d-v2.1"
LONG_EXPERIMENT = "a-shorter-way-to-the-birds-of-the-night-with-fewer-steps-and-larger-buttons"
SMALL_MODELS = ["small", "some-organisation/sentences-distilled-6d"]
COMPARED = {"documents_alone": True, "queries": 30, "k": "1 3 10", "documents": 30, "test": "t", "correction": "holm"}
COMPARED |= {"seed": 1}
Values = dict[str, str | int]


def evaluate(snapshot: Snapshot, admin: User) -> None:
    runs: list[Run] = [make_run(snapshot.collection, RUN.format(tag=tag)) for tag in (LONG_TAG, "dense", "sparse")]
    ask_evaluation(snapshot, runs, averaging="complete", measures=[], created_by=admin)
    asked: dict[str, Any] = {"runs": runs, "k": 10, "measures": ["nDCG@10", "AP"], "created_by": admin}
    ask_accounting(snapshot, **asked)
    batches = list(snapshot.batches.all())
    ask_policies(snapshot.collection, batches=batches, policies=[], rules=["median", "mean"], **asked)
    studied: dict[str, Any] = {"measure": "nDCG@10", "groups": {}, "pool_depth": 10, "judgments_anew": "annotators"}
    ask_sensitivity(snapshot, runs, **studied, seed=0, created_by=admin)
    replayed = ReplayAsked(
        methods=list(METHODS), measure="nDCG@10", depth=10, rel=1, n_seeds=2, unlisted="zero", leave_out=True
    )
    ask_replay(snapshot, runs, replayed, created_by=admin)
    same: dict[str, Any] = {"measures": [], "averaging": "complete", "seed": 0, "created_by": admin}
    ask_report(snapshot, runs, kind="comparison", title=LONG_TAG, design=Design(test="tukey", n_draws=99), **same)
    while job := claim_job():
        run_job(job)


def describe_vectors(snapshot: Snapshot, admin: User) -> None:
    """Of documents that are judged and of many that are not here."""
    collection = snapshot.collection
    make_vectors(collection, "queries", ["1", "2", "7"], model=LONG_MODEL)
    docnos = [*(f"d{n}" for n in range(1, 6)), LONG_DOCNO, *(f"x{n}" for n in range(40))]
    vectors = make_vectors(collection, "documents", docnos, model=LONG_MODEL)
    ask_description(vectors, snapshot=snapshot, created_by=admin)
    for seed, model in enumerate(SMALL_MODELS, 1):
        make_vectors(collection, "documents", docnos, model=model, dim=6, seed=seed)
    form = ModelComparisonForm({**COMPARED, "reference": LONG_MODEL, "models": SMALL_MODELS}, collection=collection)
    assert form.is_valid(), form.errors
    ask_comparison(collection, **form.cleaned_data, created_by=admin)
    while job := claim_job():
        run_job(job)


def analyse_experiment(collection: Collection, admin: User) -> dict[str, Values]:
    """With all that can be asked of it."""
    experiment = make_experiment(collection, LONG_EXPERIMENT)
    asked: dict[str, Any] = {"measures": ("bought", "seconds"), "covariate": "before", "segments": ("land",)}
    asked |= {"time": "day", "start": 50, "events": 5, "guardrails": (Margin("seconds", 0.2),)}
    ask_analysis(experiment, Question(control="A", **asked), created_by=admin)
    while job := claim_job():
        run_job(job)
    of_analysis: Values = {"experiment": LONG_EXPERIMENT, "pk": experiment.analyses.get().pk}
    return {"ab_test_file": of_analysis}


def describe_beyond(collection: Collection, admin: User) -> dict[str, Values]:
    """Vectors beside those of the same texts by another model: drift, with its pictures."""
    documents = VectorSet.objects.get(collection=collection, side="documents", model=LONG_MODEL)
    sources = {"reference": vectors_source(documents), "window": vectors_source(documents)}
    options = {"sample": 100, "permutations": 99, "directions": 9, "alpha": 0.05, "seed": collection.pk}
    asked = Asked("drift", sources, options)
    ask_beyond(collection, asked, created_by=admin)
    while job := claim_job():
        run_job(job)
    here: Values = {"key": asked.key}
    shown = ("beyond_description", "beyond_file", "beyond_delete", "description")
    return {"beyond_new": {"kind": "recommendations"}, **dict.fromkeys(shown, here)}


def begin_growing(collection: Collection) -> dict[str, Values]:
    """The first portion of a pool that grows, a sample."""
    tags = tuple(Run.objects.filter(collection=collection).order_by("tag").values_list("tag", flat=True))
    growth = Growth("growing", 1, "stratified", tags, depth=10, portion=1, rel=1, seed=0, topics=("1",), renew=False)
    pool = start_growing(collection, growth, created_by=None)
    return {"pooling_portion": {"pk": pool.pk}, "pooling_sample": {"pk": pool.pk}}


def watch_figures(collection: Collection, admin: User) -> dict[str, Values]:
    """A series with an alert, a note and a moment that was missed; one that measures itself; one without a point."""
    rule: dict[str, Any] = {
        "rule": "cusum",
        "bad": "down",
        "n_history": 30,
        "horizon": 30,
        "rate": 0.05,
        "created_by": admin,
    }
    series = create_series(collection, name="nightly", kind="outside", schedule="daily", **rule)
    of = {"run": "den*", "measure": "AP"}
    measured = create_series(collection, name="measured", kind="measure", of=of, **rule)
    create_series(collection, name="waiting", kind="outside", **rule)
    begin = timezone.now() - timedelta(days=60)
    values = [0.4 + 0.01 * ((7 * day) % 5) - 0.05 * (day > 40) for day in range(55)]
    points = [NewPoint(begin + timedelta(days=day), value) for day, value in enumerate(values) if day != 20]
    add_points(series, points, source="command", actor=None)
    SeriesPoint.objects.create(
        series=series, time=begin + timedelta(days=20), n_missed=1, reason="No point came.", source="schedule"
    )
    add_note(series, time=begin + timedelta(days=41), text=f"A new version of {LONG_TAG}", actor=admin)
    names = ("", "_csv", "_points", "_notes", "_see", "_close", "_edit", "_end")
    one: Values = {"pk": series.pk}
    return {**{f"series{name}": one for name in names}, "series_measure": {"pk": measured.pk}}
