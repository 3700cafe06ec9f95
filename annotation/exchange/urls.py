"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.exchange.api import arrivals as api_arrivals
from annotation.exchange.api import bundles as api_bundles
from annotation.exchange.api import exports as api_exports
from annotation.exchange.api import imports as api_imports
from annotation.exchange.api import snapshots as api_snapshots
from annotation.exchange.views import arrivals, bundles, exports, imports
from annotation.kernel.api.page import COLLECTION as C

urlpatterns: list[URLPattern] = [
    path("collections/bring", arrivals.collection_bring, name="collection_bring"),
    path("collections/bring/<str:token>/", arrivals.arrival, name="arrival"),
    path("collections/bring/<str:token>/publish", arrivals.arrival_publish, name="arrival_publish"),
    path("collections/bring/<str:token>/discard", arrivals.arrival_discard, name="arrival_discard"),
    path("collections/bring/<str:token>/problems.txt", arrivals.arrival_problems, name="arrival_problems"),
    path("c/<slug:slug>/bundle/", bundles.bundle, name="bundle"),
    path("c/<slug:slug>/bundle/<str:token>", bundles.bundle_file, name="bundle_file"),
    path("c/<slug:slug>/imports/", imports.imports, name="imports"),
    path("c/<slug:slug>/imports/publish", imports.imports_publish, name="imports_publish"),
    path("c/<slug:slug>/imports/new/<slug:kind>", imports.import_new, name="import_new"),
    path("c/<slug:slug>/imports/<int:pk>/", imports.import_detail, name="import_detail"),
    path("c/<slug:slug>/imports/<int:pk>/check", imports.import_check, name="import_check"),
    path("c/<slug:slug>/imports/<int:pk>/publish", imports.import_publish, name="import_publish"),
    path("c/<slug:slug>/imports/<int:pk>/cancel", imports.import_cancel, name="import_cancel"),
    path("c/<slug:slug>/imports/<int:pk>/problems.txt", imports.import_problems, name="import_problems"),
    path("c/<slug:slug>/gold/gold.jsonl", exports.gold_export, name="gold_export"),
    path("c/<slug:slug>/snapshots/<int:pk>/qrels", exports.snapshot_qrels, name="snapshot_qrels"),
    path("c/<slug:slug>/snapshots/<int:pk>/pairs", exports.snapshot_pairs, name="snapshot_pairs"),
    path("c/<slug:slug>/snapshots/<int:pk>/dropped", exports.snapshot_dropped, name="snapshot_dropped"),
    path("c/<slug:slug>/exports/", exports.exports, name="exports"),
    path("c/<slug:slug>/judgments.<str:form>", exports.judgments_export, name="judgments_export"),
    path("c/<slug:slug>/judgments/named", exports.judgments_named, name="judgments_named"),
    path(f"{C}/bundles", api_bundles.Bundles.as_view(), name="api_bundles"),
    path(f"{C}/bundles/<slug:token>", api_bundles.OneBundle.as_view(), name="api_bundle"),
    path("api/v1/bundles", api_arrivals.NewCollection.as_view(), name="api_collection_bring"),
    path("api/v1/bundles/<slug:token>", api_arrivals.OneArrival.as_view(), name="api_arrival"),
    path("api/v1/bundles/<slug:token>/publish", api_arrivals.ArrivalPublish.as_view(), name="api_arrival_publish"),
    path("api/v1/bundles/<slug:token>/discard", api_arrivals.ArrivalDiscard.as_view(), name="api_arrival_discard"),
    path(f"{C}/snapshots", api_snapshots.Snapshots.as_view(), name="api_snapshots"),
    path(f"{C}/snapshots/<int:pk>", api_snapshots.OneSnapshot.as_view(), name="api_snapshot"),
    path(
        f"{C}/snapshots/<int:pk>/qrels",
        api_snapshots.SnapshotQrels.as_view(),
        name="api_snapshot_qrels",
    ),
    path(
        f"{C}/snapshots/<int:pk>/pairs",
        api_snapshots.SnapshotPairs.as_view(),
        name="api_snapshot_pairs",
    ),
    path(f"{C}/judgments", api_exports.Judgments.as_view(), name="api_judgments"),
    path(
        f"{C}/judgments/named",
        api_exports.NamedJudgments.as_view(),
        name="api_judgments_named",
    ),
    path(f"{C}/imports", api_imports.Imports.as_view(), name="api_imports"),
    path(f"{C}/imports/<int:pk>", api_imports.OneImport.as_view(), name="api_import"),
    path(
        f"{C}/imports/<int:pk>/problems",
        api_imports.ImportProblems.as_view(),
        name="api_import_problems",
    ),
    path(
        f"{C}/imports/<int:pk>/check",
        api_imports.ImportCheck.as_view(),
        name="api_import_check",
    ),
    path(
        f"{C}/imports/<int:pk>/publish",
        api_imports.ImportPublish.as_view(),
        name="api_import_publish",
    ),
    path(
        f"{C}/imports/<int:pk>/cancel",
        api_imports.ImportCancel.as_view(),
        name="api_import_cancel",
    ),
]
