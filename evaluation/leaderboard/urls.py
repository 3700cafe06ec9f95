"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.leaderboard.api import comparing as api_comparing
from evaluation.leaderboard.api import comparing_many as api_comparing_many
from evaluation.leaderboard.api import evaluations as api_evaluations
from evaluation.leaderboard.api import one_topic as api_one_topic
from evaluation.leaderboard.api import unjudged as api_unjudged
from evaluation.leaderboard.views import comparing, evaluation, leaderboard, one_topic, plots, unjudged

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path("c/<slug:slug>/leaderboard/evaluate", leaderboard.leaderboard_evaluate, name="leaderboard_evaluate"),
    path("c/<slug:slug>/leaderboard/compare", comparing.leaderboard_compare, name="leaderboard_compare"),
    path(
        "c/<slug:slug>/leaderboard/compare-many",
        comparing.leaderboard_compare_many,
        name="leaderboard_compare_many",
    ),
    path(
        "c/<slug:slug>/leaderboard/compare/topics/<path:number>",
        one_topic.leaderboard_compare_topic,
        name="leaderboard_compare_topic",
    ),
    path("c/<slug:slug>/leaderboard/plots", plots.leaderboard_plots, name="leaderboard_plots"),
    path("c/<slug:slug>/leaderboard/topics", leaderboard.leaderboard_topics, name="leaderboard_topics"),
    path("c/<slug:slug>/leaderboard/values.csv", leaderboard.leaderboard_csv, name="leaderboard_csv"),
    path("c/<slug:slug>/evaluations/<int:pk>/", evaluation.evaluation, name="evaluation"),
    path("c/<slug:slug>/evaluations/<int:pk>/unjudged", unjudged.evaluation_unjudged, name="evaluation_unjudged"),
    path(
        "c/<slug:slug>/evaluations/<int:pk>/topics/<path:number>",
        evaluation.evaluation_topic,
        name="evaluation_topic",
    ),
    path(f"{C}/evaluations", api_evaluations.Evaluations.as_view(), name="api_evaluations"),
    path(f"{C}/evaluations/<int:pk>/pool", api_unjudged.EvaluationPool.as_view(), name="api_evaluation_pool"),
    path(f"{C}/evaluations/<int:pk>", api_evaluations.OneEvaluation.as_view(), name="api_evaluation"),
    path(
        f"{C}/evaluations/compare-many",
        api_comparing_many.EvaluationsCompareMany.as_view(),
        name="api_evaluations_compare_many",
    ),
    path(
        f"{C}/evaluations/compare-topic",
        api_one_topic.EvaluationsCompareTopic.as_view(),
        name="api_evaluations_compare_topic",
    ),
    path(f"{C}/evaluations/compare", api_comparing.EvaluationsCompare.as_view(), name="api_evaluations_compare"),
]
