"""What changed from one snapshot to another."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from annotation.corpus.read.own_pages import docnos_here, numbers_here
from annotation.kernel.access import snapshot_for
from annotation.kernel.files import text_file
from annotation.kernel.page import render_page, unknown_parameters
from annotation.kernel.request import Request
from annotation.models import Snapshot
from evaluation.accounting.pages import run_links, shown_measure
from evaluation.changes.pages import FORMS, conclusion, grade_rows, views_of
from evaluation.changes.read import changed_lines, earlier_snapshots, snapshot_changes

MOST = 200  # pairs listed on the page; the files have all


@login_required
@require_GET
def snapshot_changed(request: Request, slug: str, pk: int) -> HttpResponse:
    """Since the snapshot that the address names, else the one that it most likely came from; `form`: as a file."""
    after = snapshot_for(request.user, slug, pk)
    earlier = earlier_snapshots(after)
    shown: dict[str, Any] = {}
    if earlier:
        changes = snapshot_changes(_since(request, earlier), after)
        form, views = request.GET.get("form", ""), views_of(changes)
        if form in FORMS:
            return text_file(slugify(f"{slug}-{changes.before}-{after}"), form, FORMS[form](changes))
        lines = list(changed_lines(changes))
        shown = {
            "changes": changes,
            "conclusion": conclusion(changes),
            "grades": grade_rows(changes),
            "lines": lines[:MOST],
            "numbers_here": numbers_here(after.collection, (each[0] for each in lines[:MOST])),
            "docnos_here": docnos_here(after.collection, (each[1] for each in lines[:MOST])),
            "n_more": len(lines) - len(lines[:MOST]),
            "views": views,
            "result": changes.effect,
        }
        if views:
            shown |= shown_measure(views, request.GET.get("measure", ""), run_links(after.collection))
    return render_page(
        request,
        "evaluation/changes/snapshot_changed.html",
        collection=after.collection,
        section="snapshots",
        snapshot=after,
        earlier=earlier,
        unknown=unknown_parameters(request.GET, ["since", "measure", "form"]),
        **shown,
    )


def _since(request: Request, earlier: list[Snapshot]) -> Snapshot:
    name = request.GET.get("since")
    if not name:
        return earlier[0]
    chosen = next((each for each in earlier if each.name == name), None)
    if chosen is None:
        raise Http404("No such earlier snapshot.")
    return chosen
