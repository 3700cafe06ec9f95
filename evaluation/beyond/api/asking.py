"""What programs send to have something described, and how it is answered."""

from typing import Any

from drf_spectacular.utils import OpenApiRequest
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries
from annotation.kernel.api.page import Address, job_address
from annotation.kernel.api.parsers import FilesInParts, StrictJson
from evaluation.beyond.forms.sources import SourcesForm
from evaluation.beyond.steps.asking import ask_description


def text_entry(help_text: str) -> serializers.CharField:
    return serializers.CharField(required=False, help_text=help_text)


def sent_entry(help_text: str) -> serializers.FileField:
    return serializers.FileField(required=False, max_length=255, help_text=help_text)


class AskedDescriptionSerializer(serializers.Serializer[dict[str, str]]):
    key = serializers.CharField(help_text="The hash of what was asked.")
    job_url = serializers.URLField(help_text="The job that describes.")
    description_url = serializers.URLField(help_text="Where the description is once it is made.")


class Asking(Address):
    serializer_class: type[serializers.Serializer[Any]] = AskedDescriptionSerializer
    parser_classes = [FilesInParts, StrictJson]
    form: type[SourcesForm]
    entries: type[serializers.Serializer[Any]]

    def ask(self, request: Request, slug: str) -> Response:
        collection = collection_for(self.person, slug, RESEARCH)
        sent = sent_entries(self.entries, request.data)
        files = {name: sent.pop(name) for name in set(sent) & set(request.FILES)}
        asked = checked_form(self.form, sent, files=files, collection=collection).asked()
        job = ask_description(collection, asked, created_by=self.person)
        url = reverse("api_description", args=[slug, asked.key], request=request)
        return self.queued({"key": asked.key, "job_url": job_address(request, job), "description_url": url})


def bodies(entries: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    return {"multipart/form-data": OpenApiRequest(entries), "application/json": OpenApiRequest(entries)}
