"""Long work: what waits, runs and has ended."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from annotation.home.read.jobs import batch_worked_on, imports_worked_on, jobs_move, jobs_of, log_of
from annotation.kernel.access import RESEARCH, collection_for, importable_kinds, job_for, may_stop
from annotation.kernel.jobs import ask_cancel
from annotation.kernel.page import render_polled
from annotation.kernel.request import Request
from annotation.models import Collection, Import, Job, User


@dataclass(frozen=True)
class Row:
    """A job in the list, with the import it works on, if any."""

    job: Job
    record: Import | None
    may_stop: bool

    @property
    def took(self) -> str:
        """How long its last attempt took, once that has ended."""
        if self.job.started_at is None or self.job.finished_at is None:
            return ""
        minutes, seconds = divmod(round((self.job.finished_at - self.job.started_at).total_seconds()), 60)
        return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


@login_required
@require_GET
def jobs(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, RESEARCH)
    page = Paginator(jobs_of(collection), 50).get_page(request.GET.get("page"))
    return render_polled(
        request,
        "annotation/home/jobs.html",
        part="annotation/home/jobs_table.html",
        live=jobs_move(collection),
        collection=collection,
        page_obj=page,
        rows=_rows(request.user, collection, list(page)),
    )


def _rows(user: User, collection: Collection, listed: Sequence[Job]) -> list[Row]:
    """As `may_stop` says, for all jobs at once."""
    records = imports_worked_on(collection, listed)
    kinds = importable_kinds(user, collection)
    return [
        Row(job, record, job.is_live and (record is None or record.kind in kinds))
        for job in listed
        for record in [records.get(job.pk)]
    ]


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
