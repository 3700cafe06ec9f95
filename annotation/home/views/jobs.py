"""Long work: what waits, runs and has ended."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from annotation.home.pages.job_list import job_list
from annotation.home.read.jobs import batch_worked_on, jobs_move, jobs_of, log_of
from annotation.kernel.access import RESEARCH, collection_for, importable_kinds, job_for, may_stop
from annotation.kernel.jobs import ask_cancel
from annotation.kernel.listing import render_listing
from annotation.kernel.page import render_polled
from annotation.kernel.request import Request


@login_required
@require_GET
def jobs(request: Request, slug: str) -> HttpResponseBase:
    collection = collection_for(request.user, slug, RESEARCH)
    return render_listing(
        request,
        "annotation/home/jobs.html",
        job_list(collection, importable=importable_kinds(request.user, collection)),
        jobs_of(collection),
        collection=collection,
        part="annotation/home/jobs_table.html",
        live=jobs_move(collection),
    )


@login_required
@require_GET
def job(request: Request, token: str) -> HttpResponse:
    job = job_for(request.user, token)
    return render_polled(
        request,
        "annotation/home/job.html",
        part="annotation/home/job_body.html",
        live=job.is_live,
        collection=job.collection,
        section="jobs",
        job=job,
        batch=batch_worked_on(job),
        log=log_of(job),
        may_stop=may_stop(request.user, job),
    )


@login_required
@require_POST
def job_cancel(request: Request, token: str) -> HttpResponse:
    job = job_for(request.user, token, change=True)
    if not ask_cancel(job, actor=request.user):
        messages.error(request, "This job has already ended.")
    return redirect("job", token=token)
