"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.runs.api import run_files as api_run_files
from evaluation.runs.api import runs as api_runs
from evaluation.runs.views import pools, run_files, runs

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/runs/", runs.runs, name="runs"),
    path("c/<slug:slug>/runs/new", runs.runs_new, name="runs_new"),
    path("c/<slug:slug>/runs/tagged/<path:tag>", runs.run, name="run"),
    path("c/<slug:slug>/runs/files/<path:tag>", run_files.run_file, name="run_file"),
    path("c/<slug:slug>/pools/runs", pools.pool_runs, name="pool_runs"),
    path("c/<slug:slug>/pools/runs/count", pools.pool_runs_count, name="pool_runs_count"),
    path(f"{C}/runs", api_runs.Runs.as_view(), name="api_runs"),
    path(f"{C}/runs/<path:tag>", api_runs.OneRun.as_view(), name="api_run"),
    path(f"{C}/run-files/<path:tag>", api_run_files.RunFile.as_view(), name="api_run_file"),
]
