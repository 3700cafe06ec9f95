"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.batches import api
from annotation.batches.views import batch_progress, batches, qualification_pairs, qualifications, replacements
from annotation.kernel.api.page import COLLECTION as C

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/batches/", batches.batches, name="batches"),
    path("c/<slug:slug>/batches/new", batches.batch_new, name="batch_new"),
    path("c/<slug:slug>/batches/<str:token>/", batch_progress.batch, name="batch"),
    path("c/<slug:slug>/batches/<str:token>/edit", batches.batch_edit, name="batch_edit"),
    path("c/<slug:slug>/batches/<str:token>/dry-run", batches.batch_dry_run, name="batch_dry_run"),
    path("c/<slug:slug>/batches/<str:token>/lay-out", batches.batch_lay_out, name="batch_lay_out"),
    path("c/<slug:slug>/batches/<str:token>/step", batches.batch_step, name="batch_step"),
    path("c/<slug:slug>/batches/<str:token>/delete", batches.batch_delete, name="batch_delete"),
    path("c/<slug:slug>/batches/<str:token>/assign", batch_progress.batch_assign, name="batch_assign"),
    path("c/<slug:slug>/batches/<str:token>/unassign", batch_progress.batch_unassign, name="batch_unassign"),
    path("c/<slug:slug>/batches/<str:token>/feedback", batch_progress.batch_feedback, name="batch_feedback"),
    path(
        "c/<slug:slug>/batches/<str:token>/items/<str:item>/release",
        batch_progress.batch_release,
        name="batch_release",
    ),
    path("c/<slug:slug>/batches/<str:token>/replace", replacements.batch_replace, name="batch_replace"),
    path("c/<slug:slug>/batches/<str:token>/withdraw", replacements.batch_withdraw, name="batch_withdraw"),
    path("c/<slug:slug>/batches/<str:token>/hours.csv", batch_progress.batch_hours, name="batch_hours"),
    path("c/<slug:slug>/batches/<str:token>/overlap.csv", batch_progress.batch_overlap_csv, name="batch_overlap_csv"),
    path("c/<slug:slug>/qualifications/", qualifications.qualifications, name="qualifications"),
    path("c/<slug:slug>/qualifications/new", qualifications.qualification_new, name="qualification_new"),
    path("c/<slug:slug>/qualifications/<str:token>/", qualifications.qualification, name="qualification"),
    path("c/<slug:slug>/qualifications/<str:token>/edit", qualifications.qualification_edit, name="qualification_edit"),
    path("c/<slug:slug>/qualifications/<str:token>/step", qualifications.qualification_step, name="qualification_step"),
    path(
        "c/<slug:slug>/qualifications/<str:token>/delete",
        qualifications.qualification_delete,
        name="qualification_delete",
    ),
    path(
        "c/<slug:slug>/qualifications/<str:token>/pairs/new",
        qualification_pairs.qualification_pair_new,
        name="qualification_pair_new",
    ),
    path(
        "c/<slug:slug>/qualifications/<str:token>/pairs/gold",
        qualification_pairs.qualification_gold,
        name="qualification_gold",
    ),
    path(
        "c/<slug:slug>/qualifications/<str:token>/pairs/<str:item>",
        qualification_pairs.qualification_pair,
        name="qualification_pair",
    ),
    path(
        "c/<slug:slug>/qualifications/<str:token>/pairs/<str:item>/move",
        qualification_pairs.qualification_pair_move,
        name="qualification_pair_move",
    ),
    path(
        "c/<slug:slug>/qualifications/<str:token>/pairs/<str:item>/remove",
        qualification_pairs.qualification_pair_remove,
        name="qualification_pair_remove",
    ),
    path("c/<slug:slug>/quality/replacements", replacements.quality_replacements, name="quality_replacements"),
    path("c/<slug:slug>/quality/missing.csv", replacements.missing_csv),
    path("c/<slug:slug>/quality/added.csv", replacements.added_csv),
    path(f"{C}/batches", api.Batches.as_view(), name="api_batches"),
    path(f"{C}/batches/<slug:token>", api.OneBatch.as_view(), name="api_batch"),
]
