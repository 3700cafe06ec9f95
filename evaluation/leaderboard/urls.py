"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.leaderboard import api, views

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/leaderboard/", views.leaderboard, name="leaderboard"),
    path("c/<slug:slug>/leaderboard/evaluate", views.leaderboard_evaluate, name="leaderboard_evaluate"),
    path("c/<slug:slug>/leaderboard/topics", views.leaderboard_topics, name="leaderboard_topics"),
    path("c/<slug:slug>/leaderboard/values.csv", views.leaderboard_csv, name="leaderboard_csv"),
    path("c/<slug:slug>/evaluations/<int:pk>/", views.evaluation, name="evaluation"),
    path(f"{C}/evaluations", api.Evaluations.as_view(), name="api_evaluations"),
    path(f"{C}/evaluations/<int:pk>", api.OneEvaluation.as_view(), name="api_evaluation"),
]
