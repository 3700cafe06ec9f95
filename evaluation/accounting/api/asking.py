"""What a program asks to be accounted for, judged by the form of the page."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.response import Response

from annotation.kernel.api.page import Address, job_address
from annotation.kernel.api.refusals import refused
from annotation.models import Job
from evaluation.accounting.forms import MOST_K, AccountingForm

NAMES = {"batch": "batches", "policy": "policies", "rule": "rules"}  # of the form: of the API


class AskedRunsSerializer(serializers.Serializer[None]):
    """Which runs, by which measures, how deep."""

    runs = serializers.ListField(
        child=serializers.CharField(), required=False, allow_empty=False, help_text="Tags; all runs if left out."
    )
    measures = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The usual ones if left out."
    )
    k = serializers.IntegerField(
        min_value=1, max_value=MOST_K, default=10, help_text="How deep to look for what is judged: Judged@k."
    )


class AskedJobSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that computes it.")


def form_data(form: Callable[..., AccountingForm], sent: Mapping[str, Any]) -> QueryDict:
    """What was sent as the page's form sends it; what was left out as the page begins with it."""
    data, blank = QueryDict(mutable=True), form()
    for name, field in blank.fields.items():
        value = sent.get(NAMES.get(name, name))
        if name == "measures":
            data[name] = " ".join(value or [])
        elif name == "k":
            data[name] = str(value)
        else:
            data.setlist(name, field.initial or [] if value is None else value)
    return data


def ask(
    address: Address, form: Callable[..., AccountingForm], sent: Mapping[str, Any], step: Callable[..., Job]
) -> Response:
    """202 with the job. Raises `ValidationError` for what the form or the step refuses."""
    asked = form(form_data(form, sent))
    if not asked.is_valid():
        raise refused({NAMES.get(name, name): reasons for name, reasons in asked.errors.items()})
    try:
        job = step(**asked.arguments(), created_by=address.person)
    except ValueError as reason:
        raise refused({"measures": [str(reason)]}) from reason
    return address.queued({"job_url": job_address(address.request, job)})
