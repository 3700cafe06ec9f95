"""Whole collections, out: packed into a bundle, which is downloaded."""

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from annotation.exchange.steps import bundles
from annotation.kernel.access import ADMIN, collection_for, packing_for
from annotation.kernel.page import render_polled
from annotation.kernel.request import Request


@login_required
@require_http_methods(["GET", "POST"])
def bundle(request: Request, slug: str) -> HttpResponse:
    """Packs the collection, on demand, and lists what was packed lately."""
    collection = collection_for(request.user, slug, ADMIN)
    if request.method == "POST":
        bundles.start_export(collection, created_by=request.user)
        return redirect("bundle", slug=slug)
    packings = bundles.packings_of(collection)
    return render_polled(
        request,
        "annotation/exchange/bundle.html",
        part="annotation/exchange/bundle_packings.html",
        live=any(packing.job.is_live for packing in packings),
        collection=collection,
        section="exports",
        packings=packings,
    )


@login_required
@require_GET
def bundle_file(request: Request, slug: str, token: str) -> HttpResponseBase:
    file = bundles.open_bundle_file(packing_for(request.user, slug, token))
    if file is None:
        raise Http404("This bundle is not made yet, or its day is over.")
    return FileResponse(file, as_attachment=True, filename=f"{slug}-bundle.zip", content_type="application/zip")
