"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from annotation.trust.api import annotators as api_annotators
from annotation.trust.api import policies as api_policies
from annotation.trust.api import quality as api_quality
from annotation.trust.api import rules as api_rules
from annotation.trust.api import snapshots as api_snapshots
from annotation.trust.views import (
    annotators,
    calibration,
    couples,
    pausing,
    policies,
    quality,
    quality_tables,
    several_people,
    snapshots,
    watch,
)

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/quality/", quality.quality, name="quality"),
    path("c/<slug:slug>/quality/annotators", quality.quality_annotators, name="quality_annotators"),
    path("c/<slug:slug>/quality/annotators/together", several_people.annotators_together, name="annotators_together"),
    path("c/<slug:slug>/quality/agreement", quality.quality_agreement, name="quality_agreement"),
    path("c/<slug:slug>/quality/pairs", quality.quality_pairs, name="quality_pairs"),
    path("c/<slug:slug>/quality/pairs/pool", quality.quality_pairs_pool, name="quality_pairs_pool"),
    path("c/<slug:slug>/quality/machines", quality.quality_machines, name="quality_machines"),
    path("c/<slug:slug>/quality/watch", watch.quality_watch, name="quality_watch"),
    path("c/<slug:slug>/quality/pausing", pausing.quality_pausing, name="quality_pausing"),
    path("c/<slug:slug>/quality/couples", couples.quality_couples, name="quality_couples"),
    path("c/<slug:slug>/quality/couples.csv", couples.couples_csv, name="couples_csv"),
    path("c/<slug:slug>/quality/annotators.csv", quality_tables.annotators_csv, name="annotators_csv"),
    path("c/<slug:slug>/quality/<slug:table>.csv", quality_tables.quality_csv, name="quality_csv"),
    path(
        "c/<slug:slug>/quality/annotators/<path:pseudonym>/<slug:table>.csv",
        annotators.annotator_csv,
        name="annotator_csv",
    ),
    path("c/<slug:slug>/quality/annotators/<path:pseudonym>/", annotators.annotator, name="annotator"),
    path("c/<slug:slug>/annotators/<path:pseudonym>/exclude", pausing.annotator_exclude, name="annotator_exclude"),
    path(
        "c/<slug:slug>/annotators/<path:pseudonym>/reinstate", pausing.annotator_reinstate, name="annotator_reinstate"
    ),
    path("c/<slug:slug>/annotators/<path:pseudonym>/pause", pausing.annotator_pause, name="annotator_pause"),
    path("c/<slug:slug>/annotators/<path:pseudonym>/resume", pausing.annotator_resume, name="annotator_resume"),
    path("c/<slug:slug>/policies/", policies.policies, name="policies"),
    path("c/<slug:slug>/policies/compare", policies.policies_compare, name="policies_compare"),
    path("c/<slug:slug>/policies/compare.csv", policies.policies_compare_csv, name="policies_compare_csv"),
    path("c/<slug:slug>/policies/calibration", calibration.policies_calibration, name="policies_calibration"),
    path(
        "c/<slug:slug>/policies/calibration.csv", calibration.policies_calibration_csv, name="policies_calibration_csv"
    ),
    path("c/<slug:slug>/policies/new", policies.policy_new, name="policy_new"),
    path("c/<slug:slug>/snapshots/", snapshots.snapshots, name="snapshots"),
    path("c/<slug:slug>/snapshots/new", snapshots.snapshot_new, name="snapshot_new"),
    path("c/<slug:slug>/snapshots/<int:pk>/", snapshots.snapshot, name="snapshot"),
    path("c/<slug:slug>/snapshots/<int:pk>/verify", snapshots.snapshot_verify, name="snapshot_verify"),
    path("c/<slug:slug>/snapshots/<int:pk>/delete", snapshots.snapshot_delete, name="snapshot_delete"),
    path(f"{C}/quality", api_quality.Quality.as_view(), name="api_quality"),
    path(f"{C}/annotators", api_annotators.Annotators.as_view(), name="api_annotators"),
    path(
        f"{C}/annotators/<path:pseudonym>/exclude",
        api_annotators.AnnotatorExclude.as_view(),
        name="api_annotator_exclude",
    ),
    path(
        f"{C}/annotators/<path:pseudonym>/reinstate",
        api_annotators.AnnotatorReinstate.as_view(),
        name="api_annotator_reinstate",
    ),
    path(
        f"{C}/annotators/<path:pseudonym>/kind",
        api_annotators.AnnotatorKind.as_view(),
        name="api_annotator_kind",
    ),
    path(f"{C}/annotators/<path:pseudonym>/pause", api_annotators.AnnotatorPause.as_view(), name="api_annotator_pause"),
    path(
        f"{C}/annotators/<path:pseudonym>/resume", api_annotators.AnnotatorResume.as_view(), name="api_annotator_resume"
    ),
    path(f"{C}/policies", api_policies.Policies.as_view(), name="api_policies"),
    path(
        f"{C}/policies/compare",
        api_policies.PoliciesCompare.as_view(),
        name="api_policies_compare",
    ),
    path(f"{C}/snapshots", api_snapshots.Snapshots.as_view(), name="api_snapshots"),
    path(f"{C}/snapshots/dry-run", api_snapshots.SnapshotDryRun.as_view(), name="api_snapshot_dry_run"),
    path(f"{C}/snapshots/<int:pk>", api_snapshots.OneSnapshot.as_view(), name="api_snapshot"),
    path(f"{C}/snapshots/<int:pk>/verify", api_snapshots.SnapshotVerify.as_view(), name="api_snapshot_verify"),
    path(f"{C}/snapshots/<int:pk>/dropped", api_snapshots.SnapshotDropped.as_view(), name="api_snapshot_dropped"),
    path(f"{C}/pausing", api_rules.PausingRules.as_view(), name="api_pausing"),
    path(f"{C}/watch", api_rules.WatchRules.as_view(), name="api_watch"),
]
