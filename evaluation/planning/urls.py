"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from evaluation.planning import api, views

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/experiments/plan", views.experiment_plan, name="experiment_plan"),
    path("c/<slug:slug>/experiments/sample", views.experiment_sample, name="experiment_sample"),
    path(f"{C}/experiments/sample", api.ExperimentSample.as_view(), name="api_experiment_sample"),
    path("c/<slug:slug>/experiments/estimates", views.experiment_estimates, name="experiment_estimates"),
    path(f"{C}/experiments/estimates", api.ExperimentEstimates.as_view(), name="api_experiment_estimates"),
    path(f"{C}/experiments/plan", api.ExperimentPlan.as_view(), name="api_experiment_plan"),
]
