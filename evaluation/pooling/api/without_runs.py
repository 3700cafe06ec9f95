"""A pool where there are no runs, by the form of the page."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address
from evaluation.pooling.forms import WithoutRunsForm
from evaluation.pooling.steps.without_runs import ask_pool

WithoutRunsEntries = serializer_of_form(
    "WithoutRunsEntries",
    WithoutRunsForm,
    numbers=serializers.ListField(
        child=serializers.CharField(), allow_empty=False, required=False, help_text="Of topics; without them, all."
    ),
)


class PoolJobSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that makes the pool; its result has the id, `pool`, and `pairs`.")


class PoolWithoutRuns(Address):
    serializer_class: type[serializers.Serializer[Any]] = PoolJobSerializer

    @extend_schema(request=WithoutRunsEntries, responses={202: PoolJobSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Make a pool of all pairs, a random sample or what BM25 finds, in a job. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        sent = sent_entries(WithoutRunsEntries, request.data)
        entered = {**sent, "numbers": "\n".join(sent.get("numbers") or ())}
        form = checked_form(WithoutRunsForm, entered, collection=collection)
        assert isinstance(form, WithoutRunsForm)
        fields = {name: form.cleaned_data[name] for name in ("name", "numbers")}
        job = ask_pool(collection, **fields, recipe=form.recipe(), created_by=self.person)
        return self.queued({"job_url": job_address(request, job)})
