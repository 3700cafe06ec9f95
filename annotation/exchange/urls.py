"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.exchange.api.arrivals import ArrivalDiscard, ArrivalPublish, NewCollection, OneArrival
from annotation.exchange.api.bundles import Bundles, OneBundle
from annotation.exchange.api.deletion import CollectionDelete
from annotation.exchange.api.exports import Judgments, NamedJudgments
from annotation.exchange.api.imports import ImportCancel, ImportCheck, ImportProblems, ImportPublish, Imports, OneImport
from annotation.exchange.api.snapshots import SnapshotPairs, SnapshotQrels
from annotation.exchange.views import arrivals, bundles, deletion, exports, imports
from annotation.kernel.api.page import COLLECTION as C

urlpatterns: list[URLPattern] = [
    path("collections/bring", arrivals.collection_bring, name="collection_bring"),
    path("collections/bring/<str:token>/", arrivals.arrival, name="arrival"),
    path("collections/bring/<str:token>/publish", arrivals.arrival_publish, name="arrival_publish"),
    path("collections/bring/<str:token>/discard", arrivals.arrival_discard, name="arrival_discard"),
    path("collections/bring/<str:token>/problems.txt", arrivals.arrival_problems, name="arrival_problems"),
    path("c/<slug:slug>/delete", deletion.collection_delete, name="collection_delete"),
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
    path(f"{C}/delete", CollectionDelete.as_view(), name="api_collection_delete"),
    path(f"{C}/bundles", Bundles.as_view(), name="api_bundles"),
    path(f"{C}/bundles/<slug:token>", OneBundle.as_view(), name="api_bundle"),
    path("api/v1/bundles", NewCollection.as_view(), name="api_collection_bring"),
    path("api/v1/bundles/<slug:token>", OneArrival.as_view(), name="api_arrival"),
    path("api/v1/bundles/<slug:token>/publish", ArrivalPublish.as_view(), name="api_arrival_publish"),
    path("api/v1/bundles/<slug:token>/discard", ArrivalDiscard.as_view(), name="api_arrival_discard"),
    path(f"{C}/snapshots/<int:pk>/qrels", SnapshotQrels.as_view(), name="api_snapshot_qrels"),
    path(f"{C}/snapshots/<int:pk>/pairs", SnapshotPairs.as_view(), name="api_snapshot_pairs"),
    path(f"{C}/judgments", Judgments.as_view(), name="api_judgments"),
    path(f"{C}/judgments/named", NamedJudgments.as_view(), name="api_judgments_named"),
    path(f"{C}/imports", Imports.as_view(), name="api_imports"),
    path(f"{C}/imports/<int:pk>", OneImport.as_view(), name="api_import"),
    path(f"{C}/imports/<int:pk>/problems", ImportProblems.as_view(), name="api_import_problems"),
    path(f"{C}/imports/<int:pk>/check", ImportCheck.as_view(), name="api_import_check"),
    path(f"{C}/imports/<int:pk>/publish", ImportPublish.as_view(), name="api_import_publish"),
    path(f"{C}/imports/<int:pk>/cancel", ImportCancel.as_view(), name="api_import_cancel"),
]
