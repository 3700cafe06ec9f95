from django.urls import URLPattern, URLResolver, path

from evaluation.api import accounting as api_accounting
from evaluation.api import evaluations as api_evaluations
from evaluation.api import run_files as api_run_files
from evaluation.api import runs as api_runs
from evaluation.views import accounting, accounting_policies, leaderboard, pools, run_files, runs

urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<slug:slug>/runs/", runs.runs, name="runs"),
    path("c/<slug:slug>/runs/new", runs.runs_new, name="runs_new"),
    path("c/<slug:slug>/runs/tagged/<path:tag>", runs.run, name="run"),
    path("c/<slug:slug>/runs/files/<path:tag>", run_files.run_file, name="run_file"),
    path("c/<slug:slug>/pools/runs", pools.pool_runs, name="pool_runs"),
    path("c/<slug:slug>/pools/runs/count", pools.pool_runs_count, name="pool_runs_count"),
    path("c/<slug:slug>/leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path("c/<slug:slug>/leaderboard/evaluate", leaderboard.leaderboard_evaluate, name="leaderboard_evaluate"),
    path("c/<slug:slug>/leaderboard/topics", leaderboard.leaderboard_topics, name="leaderboard_topics"),
    path("c/<slug:slug>/leaderboard/values.csv", leaderboard.leaderboard_csv, name="leaderboard_csv"),
    path("c/<slug:slug>/snapshots/<int:pk>/accounting", accounting.accounting, name="accounting"),
    path("c/<slug:slug>/snapshots/<int:pk>/accounting/ask", accounting.accounting_ask, name="accounting_ask"),
    path(
        "c/<slug:slug>/snapshots/<int:pk>/accounting/dropped.csv",
        accounting.accounting_dropped_csv,
        name="accounting_dropped_csv",
    ),
    path("c/<slug:slug>/accounting/policies", accounting_policies.accounting_policies, name="accounting_policies"),
    path("c/<slug:slug>/accounting/<int:pk>/", accounting_policies.accounting_compared, name="accounting_compared"),
    path("c/<slug:slug>/accounting/<int:pk>/file", accounting.accounting_file, name="accounting_file"),
    path("c/<slug:slug>/evaluations/<int:pk>/", leaderboard.evaluation, name="evaluation"),
    path("api/v1/collections/<slug:slug>/runs", api_runs.Runs.as_view(), name="api_runs"),
    path("api/v1/collections/<slug:slug>/runs/<path:tag>", api_runs.OneRun.as_view(), name="api_run"),
    path("api/v1/collections/<slug:slug>/run-files/<path:tag>", api_run_files.RunFile.as_view(), name="api_run_file"),
    path(
        "api/v1/collections/<slug:slug>/evaluations",
        api_evaluations.Evaluations.as_view(),
        name="api_evaluations",
    ),
    path(
        "api/v1/collections/<slug:slug>/evaluations/<int:pk>",
        api_evaluations.OneEvaluation.as_view(),
        name="api_evaluation",
    ),
    path(
        "api/v1/collections/<slug:slug>/snapshots/<int:pk>/accounting",
        api_accounting.SnapshotAccounting.as_view(),
        name="api_snapshot_accounting",
    ),
]
