"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.runs.api import fusing as api_fusing
from evaluation.runs.api import pools as api_pools
from evaluation.runs.api import runs as api_runs
from evaluation.runs.views import fusing, pools, runs

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/runs/", runs.runs, name="runs"),
    path("c/<slug:slug>/runs/new", runs.runs_new, name="runs_new"),
    path("c/<slug:slug>/runs/fuse", fusing.runs_fuse, name="runs_fuse"),
    path("c/<slug:slug>/runs/tagged/<path:tag>", runs.run, name="run"),
    path("c/<slug:slug>/runs/files/<path:tag>", runs.run_file, name="run_file"),
    path("c/<slug:slug>/runs/delete/<path:tag>", runs.run_delete, name="run_delete"),
    path("c/<slug:slug>/pools/runs", pools.pool_runs, name="pool_runs"),
    path("c/<slug:slug>/pools/runs/count", pools.pool_runs_count, name="pool_runs_count"),
    path(f"{C}/pools/runs", api_pools.PoolFromRuns.as_view(), name="api_pool_from_runs"),
    path(f"{C}/fused-runs", api_fusing.FusedRuns.as_view(), name="api_fused_runs"),
    path(f"{C}/runs", api_runs.Runs.as_view(), name="api_runs"),
    path(f"{C}/runs/<path:tag>", api_runs.OneRun.as_view(), name="api_run"),
    path(f"{C}/run-files/<path:tag>", api_runs.RunFile.as_view(), name="api_run_file"),
]
