"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, URLResolver, include, path

from annotation.batches.api import batches as api_batches
from annotation.batches.api import layout as api_layout
from annotation.batches.api import lifecycle as api_lifecycle
from annotation.batches.api import qualification_pairs as api_pairs
from annotation.batches.api import qualifications as api_qualifications
from annotation.batches.api import replacements as api_replacements
from annotation.batches.api import tables as api_tables
from annotation.batches.views import (
    batch_progress,
    batches,
    closing,
    drafts,
    qualification_pairs,
    qualifications,
    replacements,
)
from annotation.kernel.api.page import COLLECTION as C

B = f"{C}/batches/<slug:token>"
R = f"{C}/qualifications/<slug:token>"

_batch: list[URLPattern | URLResolver] = [
    path("", batch_progress.batch, name="batch"),
    path("edit", drafts.batch_edit, name="batch_edit"),
    path("dry-run", batches.batch_dry_run, name="batch_dry_run"),
    path("plan", batches.batch_plan, name="batch_plan"),
    path("lay-out", batches.batch_lay_out, name="batch_lay_out"),
    path("step", batches.batch_step, name="batch_step"),
    path("close", closing.batch_close, name="batch_close"),
    path("delete", batches.batch_delete, name="batch_delete"),
    path("assign", batch_progress.batch_assign, name="batch_assign"),
    path("unassign", batch_progress.batch_unassign, name="batch_unassign"),
    path("feedback", batch_progress.batch_feedback, name="batch_feedback"),
    path("items/<str:item>/release", batch_progress.batch_release, name="batch_release"),
    path("replace", replacements.batch_replace, name="batch_replace"),
    path("withdraw", replacements.batch_withdraw, name="batch_withdraw"),
    path("hours.csv", batch_progress.batch_hours, name="batch_hours"),
    path("overlap.csv", batch_progress.batch_overlap_csv, name="batch_overlap_csv"),
]

_round: list[URLPattern | URLResolver] = [
    path("", qualifications.qualification, name="qualification"),
    path("edit", qualifications.qualification_edit, name="qualification_edit"),
    path("step", qualifications.qualification_step, name="qualification_step"),
    path("delete", qualifications.qualification_delete, name="qualification_delete"),
    path("pairs/new", qualification_pairs.qualification_pair_new, name="qualification_pair_new"),
    path("pairs/gold", qualification_pairs.qualification_gold, name="qualification_gold"),
    path("pairs/<str:item>", qualification_pairs.qualification_pair, name="qualification_pair"),
    path("pairs/<str:item>/move", qualification_pairs.qualification_pair_move, name="qualification_pair_move"),
    path("pairs/<str:item>/remove", qualification_pairs.qualification_pair_remove, name="qualification_pair_remove"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<slug:slug>/batches/", batches.batches, name="batches"),
    path("c/<slug:slug>/batches/new", drafts.batch_new, name="batch_new"),
    path("c/<slug:slug>/batches/estimate", drafts.batch_estimate, name="batch_estimate"),
    path("c/<slug:slug>/batches/<str:token>/", include(_batch)),
    path("c/<slug:slug>/qualifications/", qualifications.qualifications, name="qualifications"),
    path("c/<slug:slug>/qualifications/new", qualifications.qualification_new, name="qualification_new"),
    path("c/<slug:slug>/qualifications/<str:token>/", include(_round)),
    path("c/<slug:slug>/quality/replacements", replacements.quality_replacements, name="quality_replacements"),
    path("c/<slug:slug>/quality/missing.csv", replacements.missing_csv),
    path("c/<slug:slug>/quality/added.csv", replacements.added_csv),
    path(f"{C}/batches", api_batches.Batches.as_view(), name="api_batches"),
    path(f"{C}/qualifications", api_qualifications.Qualifications.as_view(), name="api_qualifications"),
    path(R, api_qualifications.OneQualification.as_view(), name="api_qualification"),
    path(f"{R}/open", api_qualifications.QualificationOpen.as_view(), name="api_qualification_open"),
    path(f"{R}/close", api_qualifications.QualificationClose.as_view(), name="api_qualification_close"),
    path(f"{R}/redraft", api_qualifications.QualificationRedraft.as_view(), name="api_qualification_redraft"),
    path(f"{R}/pairs", api_pairs.QualificationPairs.as_view(), name="api_qualification_pairs"),
    path(f"{R}/pairs/gold", api_pairs.QualificationGold.as_view(), name="api_qualification_gold"),
    path(f"{R}/pairs/<slug:item>", api_pairs.OneQualificationPair.as_view(), name="api_qualification_pair"),
    path(f"{R}/pairs/<slug:item>/move", api_pairs.QualificationPairMove.as_view(), name="api_qualification_pair_move"),
    path(B, api_batches.OneBatch.as_view(), name="api_batch"),
    path(f"{B}/dry-run", api_layout.BatchDryRun.as_view(), name="api_batch_dry_run"),
    path(f"{B}/lay-out", api_layout.BatchLayOut.as_view(), name="api_batch_lay_out"),
    path(f"{B}/open", api_lifecycle.BatchOpen.as_view(), name="api_batch_open"),
    path(f"{B}/pause", api_lifecycle.BatchPause.as_view(), name="api_batch_pause"),
    path(f"{B}/reopen", api_lifecycle.BatchReopen.as_view(), name="api_batch_reopen"),
    path(f"{B}/close", api_lifecycle.BatchClose.as_view(), name="api_batch_close"),
    path(f"{B}/assign", api_lifecycle.BatchAssign.as_view(), name="api_batch_assign"),
    path(f"{B}/unassign", api_lifecycle.BatchUnassign.as_view(), name="api_batch_unassign"),
    path(f"{B}/feedback", api_lifecycle.BatchFeedback.as_view(), name="api_batch_feedback"),
    path(f"{B}/withheld", api_lifecycle.BatchWithheld.as_view(), name="api_batch_withheld"),
    path(f"{B}/items/<slug:item>/release", api_lifecycle.BatchRelease.as_view(), name="api_batch_release"),
    path(f"{B}/hours", api_tables.BatchHours.as_view(), name="api_batch_hours"),
    path(f"{B}/overlap", api_tables.BatchOverlap.as_view(), name="api_batch_overlap"),
    path(f"{B}/replace", api_replacements.BatchReplace.as_view(), name="api_batch_replace"),
    path(f"{B}/withdraw", api_replacements.BatchWithdraw.as_view(), name="api_batch_withdraw"),
    path(f"{C}/replacements", api_replacements.BatchReplacements.as_view(), name="api_replacements"),
]
