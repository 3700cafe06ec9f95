"""The addresses of the API, all under /api/v1/."""

from django.urls import URLPattern, path

from annotation.api import (
    annotators,
    arrivals,
    batches,
    bundles,
    collections,
    exports,
    gold,
    imports,
    jobs,
    policies,
    quality,
    snapshots,
    topics,
)
from annotation.api.schema import Schema

C = "api/v1/collections/<slug:slug>"

urlpatterns: list[URLPattern] = [
    path("api/v1/schema", Schema.as_view(), name="api_schema"),
    path("api/v1/collections", collections.Collections.as_view(), name="api_collections"),
    path(C, collections.OneCollection.as_view(), name="api_collection"),
    path(f"{C}/bundles", bundles.Bundles.as_view(), name="api_bundles"),
    path(f"{C}/bundles/<slug:token>", bundles.OneBundle.as_view(), name="api_bundle"),
    path("api/v1/bundles", arrivals.NewCollection.as_view(), name="api_collection_bring"),
    path("api/v1/bundles/<slug:token>", arrivals.OneArrival.as_view(), name="api_arrival"),
    path("api/v1/bundles/<slug:token>/publish", arrivals.ArrivalPublish.as_view(), name="api_arrival_publish"),
    path("api/v1/bundles/<slug:token>/discard", arrivals.ArrivalDiscard.as_view(), name="api_arrival_discard"),
    path(f"{C}/topics", topics.Topics.as_view(), name="api_topics"),
    path(f"{C}/quality", quality.Quality.as_view(), name="api_quality"),
    path(f"{C}/annotators", annotators.Annotators.as_view(), name="api_annotators"),
    path(
        f"{C}/annotators/<path:pseudonym>/exclude",
        annotators.AnnotatorExclude.as_view(),
        name="api_annotator_exclude",
    ),
    path(
        f"{C}/annotators/<path:pseudonym>/reinstate",
        annotators.AnnotatorReinstate.as_view(),
        name="api_annotator_reinstate",
    ),
    path(
        f"{C}/annotators/<path:pseudonym>/kind",
        annotators.AnnotatorKind.as_view(),
        name="api_annotator_kind",
    ),
    path(f"{C}/policies", policies.Policies.as_view(), name="api_policies"),
    path(
        f"{C}/policies/compare",
        policies.PoliciesCompare.as_view(),
        name="api_policies_compare",
    ),
    path(f"{C}/gold", gold.Gold.as_view(), name="api_gold"),
    path(f"{C}/batches", batches.Batches.as_view(), name="api_batches"),
    path(f"{C}/batches/<slug:token>", batches.OneBatch.as_view(), name="api_batch"),
    path(f"{C}/snapshots", snapshots.Snapshots.as_view(), name="api_snapshots"),
    path(f"{C}/snapshots/<int:pk>", snapshots.OneSnapshot.as_view(), name="api_snapshot"),
    path(
        f"{C}/snapshots/<int:pk>/qrels",
        snapshots.SnapshotQrels.as_view(),
        name="api_snapshot_qrels",
    ),
    path(
        f"{C}/snapshots/<int:pk>/pairs",
        snapshots.SnapshotPairs.as_view(),
        name="api_snapshot_pairs",
    ),
    path(f"{C}/judgments", exports.Judgments.as_view(), name="api_judgments"),
    path(
        f"{C}/judgments/named",
        exports.NamedJudgments.as_view(),
        name="api_judgments_named",
    ),
    path(f"{C}/imports", imports.Imports.as_view(), name="api_imports"),
    path(f"{C}/imports/<int:pk>", imports.OneImport.as_view(), name="api_import"),
    path(
        f"{C}/imports/<int:pk>/problems",
        imports.ImportProblems.as_view(),
        name="api_import_problems",
    ),
    path(
        f"{C}/imports/<int:pk>/check",
        imports.ImportCheck.as_view(),
        name="api_import_check",
    ),
    path(
        f"{C}/imports/<int:pk>/publish",
        imports.ImportPublish.as_view(),
        name="api_import_publish",
    ),
    path(
        f"{C}/imports/<int:pk>/cancel",
        imports.ImportCancel.as_view(),
        name="api_import_cancel",
    ),
    path("api/v1/jobs/<slug:token>", jobs.OneJob.as_view(), name="api_job"),
    path("api/v1/jobs/<slug:token>/cancel", jobs.JobCancel.as_view(), name="api_job_cancel"),
]
