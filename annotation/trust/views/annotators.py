"""One annotator: how far to believe them, and why."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from annotation.kernel.access import ADMIN, RESEARCH, annotator_for, roles_in
from annotation.kernel.files import csv_file
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.trust.pages.annotator import PARTS, PERSON_TABLES, annotator_report
from annotation.trust.pages.choice import choice_of, judged_choice
from annotation.trust.pages.machines import machine_report
from annotation.trust.read.annotators import account_of
from annotation.trust.read.held_people import history_of
from annotation.trust.read.work import work_of

TOPICS = 20


@login_required
@require_GET
def annotator(request: Request, slug: str, pseudonym: str) -> HttpResponse:
    person = annotator_for(request.user, slug, pseudonym, RESEARCH)
    is_admin = bool(roles_in(request.user, person.collection) & ADMIN)
    choice = choice_of(request, person.collection)
    judged = (person, choice.chosen_batches(), choice.parameters()) if choice.batches else None
    work = work_of(person, choice.chosen_batches()) if choice.batches else None
    part = request.GET.get("part", "")
    return render_page(
        request,
        "annotation/trust/annotator.html",
        collection=person.collection,
        section="quality",
        annotator=person,
        choice=choice,
        policy=choice.chosen_policy(),
        report=annotator_report(*judged) if judged and not person.is_machine else None,
        work=work,
        topics=Paginator(work.topics if work else [], TOPICS).get_page(request.GET.get("page")),
        parts=PARTS,
        part=part if part in PARTS else "",
        machines=machine_report(*judged) if judged and person.is_machine else [],
        history=history_of(person) if is_admin else [],
        account=account_of(person) if is_admin else "",
    )


@login_required
@require_GET
def annotator_csv(request: Request, slug: str, pseudonym: str, table: str) -> HttpResponse:
    """A table of one person's page, under the batches and the policy that the address names."""
    person = annotator_for(request.user, slug, pseudonym, RESEARCH)
    if table not in PERSON_TABLES:
        raise Http404("There is no such table.")
    choice = judged_choice(request, person.collection)
    report = None
    if not person.is_machine:
        report = annotator_report(person, choice.chosen_batches(), choice.parameters())
    if report is None:
        raise Http404("There is nothing to look at of this annotator here.")
    return csv_file(f"{slug}-{pseudonym}-{table}", PERSON_TABLES[table].csv(report))
