"""A run on its way out."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.request import Request
from evaluation.runs.read.exports import RUN_FORMS, outgoing_run
from evaluation.runs.read.runs import runs_of


@login_required
@require_GET
def run_file(request: Request, slug: str, tag: str) -> StreamingHttpResponse:
    """TREC, or another form by `?form=`. Streamed."""
    found = get_object_or_404(runs_of(collection_for(request.user, slug, RESEARCH)), tag=tag)
    form = request.GET.get("form", "trec")
    if form not in RUN_FORMS:
        raise Http404(f"Runs are exported as {', '.join(RUN_FORMS)}.")
    file = outgoing_run(found, form)
    headers = {"Content-Disposition": f'attachment; filename="{file.filename}"'}
    return StreamingHttpResponse(file.pieces, content_type=file.content_type, headers=headers)
