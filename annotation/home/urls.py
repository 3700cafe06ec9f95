"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.home.api import collections as api_collections
from annotation.home.api import demo as api_demo
from annotation.home.api import inbox as api_inbox
from annotation.home.api import jobs as api_jobs
from annotation.home.api import saved_views as api_saved_views
from annotation.home.api.schema import Schema
from annotation.home.views import api_docs, collection, demo, finding, home, inbox, jobs, saved_views, setting_up
from annotation.kernel.api.page import COLLECTION as C

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("inbox/", inbox.inbox, name="inbox"),
    path("inbox/<str:token>/read", inbox.inbox_read, name="inbox_read"),
    path("inbox/<str:token>/read-all", inbox.inbox_read_all, name="inbox_read_all"),
    path("api/v1/inbox", api_inbox.Inbox.as_view(), name="api_inbox"),
    path("api/v1/inbox/<slug:token>/read", api_inbox.InboxRead.as_view(), name="api_inbox_read"),
    path("api/v1/inbox/<slug:token>/read-all", api_inbox.InboxReadAll.as_view(), name="api_inbox_read_all"),
    path("collections/demo", demo.demo_load, name="demo_load"),
    path("c/<slug:slug>/", collection.collection, name="collection"),
    path("c/<slug:slug>/start", setting_up.collection_start, name="collection_start"),
    path("c/<slug:slug>/find", finding.find, name="find"),
    path("c/<slug:slug>/views", saved_views.saved_view_new, name="saved_view_new"),
    path("c/<slug:slug>/views/<int:pk>/rename", saved_views.saved_view_rename, name="saved_view_rename"),
    path("c/<slug:slug>/views/<int:pk>/delete", saved_views.saved_view_delete, name="saved_view_delete"),
    path(f"{C}/views", api_saved_views.SavedViews.as_view(), name="api_saved_views"),
    path(f"{C}/views/<int:pk>", api_saved_views.OneSavedView.as_view(), name="api_saved_view"),
    path("c/<slug:slug>/audit/", collection.audit, name="audit"),
    path("c/<slug:slug>/jobs/", jobs.jobs, name="jobs"),
    path("jobs/<str:token>/", jobs.job, name="job"),
    path("jobs/<str:token>/cancel", jobs.job_cancel, name="job_cancel"),
    path("api/docs", api_docs.api_docs, name="api_docs"),
    path("api/problems/<slug:code>", api_docs.api_problem, name="api_problem"),
    path("api/v1/schema", Schema.as_view(), name="api_schema"),
    path("api/v1/collections", api_collections.Collections.as_view(), name="api_collections"),
    path("api/v1/demo", api_demo.Demo.as_view(), name="api_demo_load"),
    path(C, api_collections.OneCollection.as_view(), name="api_collection"),
    path("api/v1/jobs/<slug:token>", api_jobs.OneJob.as_view(), name="api_job"),
    path("api/v1/jobs/<slug:token>/cancel", api_jobs.JobCancel.as_view(), name="api_job_cancel"),
]
