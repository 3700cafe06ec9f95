"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.pooling.api import growing as api_growing
from evaluation.pooling.api import next_pairs as api_next_pairs
from evaluation.pooling.api import replays as api_replays
from evaluation.pooling.api import without_runs as api_without_runs
from evaluation.pooling.views import growing, next_pairs, replays, without_runs

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/pools/without-runs", without_runs.pool_without_runs, name="pool_without_runs"),
    path("c/<slug:slug>/pools/next", next_pairs.pooling_next, name="pooling_next"),
    path("c/<slug:slug>/pools/growing", growing.pooling_new, name="pooling_new"),
    path("c/<slug:slug>/pools/<int:pk>/portion", growing.pooling_portion, name="pooling_portion"),
    path("c/<slug:slug>/pools/<int:pk>/sample", growing.pooling_sample, name="pooling_sample"),
    path("c/<slug:slug>/pools/replays/", replays.pooling_replays, name="pooling_replays"),
    path("c/<slug:slug>/pools/replays/<int:pk>/", replays.pooling_replay, name="pooling_replay"),
    path("c/<slug:slug>/pools/replays/<int:pk>/file", replays.pooling_replay_file, name="pooling_replay_file"),
    path(f"{C}/pools/next/ranking", api_next_pairs.PoolingNextRanking.as_view(), name="api_pooling_next_ranking"),
    path(f"{C}/pools/replays", api_replays.PoolingReplays.as_view(), name="api_pooling_replays"),
    path(f"{C}/pools/replays/<int:pk>", api_replays.OnePoolingReplay.as_view(), name="api_pooling_replay"),
    path(f"{C}/pools/without-runs", api_without_runs.PoolWithoutRuns.as_view(), name="api_pool_without_runs"),
    path(f"{C}/pools/growing", api_growing.GrowingPools.as_view(), name="api_pooling_new"),
    path(f"{C}/pools/<int:pk>/portion", api_growing.Portion.as_view(), name="api_pooling_portion"),
    path(f"{C}/pools/<int:pk>/sample", api_growing.PoolSample.as_view(), name="api_pooling_sample"),
    path(f"{C}/pools/next", api_next_pairs.PoolingNext.as_view(), name="api_pooling_next"),
]
