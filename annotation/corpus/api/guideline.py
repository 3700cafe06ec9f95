"""The guideline: as it is in force, its versions, and a new one."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus.forms.guideline import MOST_CASES, CaseForm, CaseRows, GuidelineForm
from annotation.corpus.read.guideline_versions import versions_of
from annotation.corpus.steps.guidelines import GuidelineMovedError, revise_guideline
from annotation.kernel.access import ADMIN, MEMBER, RESEARCH, collection_for, guideline_version_for
from annotation.kernel.api.form_entries import checked_form, form_errors, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import NOTHING, NothingToChange, refused
from annotation.models import Case, Collection, GuidelineVersion


class CaseSerializer(serializers.Serializer[Case]):
    """A worked example."""

    topic = serializers.CharField()
    document = serializers.CharField()
    grade = serializers.IntegerField()
    reason = serializers.CharField()


class GuidelineLineSerializer(serializers.Serializer[GuidelineVersion]):
    number = serializers.IntegerField()
    is_current = serializers.SerializerMethodField()
    sha256 = serializers.CharField()
    created_by = serializers.CharField(source="created_by.username", allow_null=True, default=None)
    created_at = serializers.DateTimeField()

    def get_is_current(self, version: GuidelineVersion) -> bool:
        return version.pk == version.collection.guideline_id


class GuidelineSerializer(serializers.Serializer[GuidelineVersion]):
    """All texts are Markdown."""

    number = serializers.IntegerField()
    introduction = serializers.CharField()
    examples = serializers.CharField(help_text="What is to be said beside the worked examples.")
    edge_cases = serializers.CharField()
    cases = CaseSerializer(many=True, help_text="The worked examples.")
    created_at = serializers.DateTimeField()


CaseEntries = serializer_of_form(
    "CaseEntries",
    CaseForm,
    topic=serializers.CharField(max_length=300),
    document=serializers.CharField(max_length=3000),
    grade=serializers.IntegerField(),
    reason=serializers.CharField(max_length=1000, help_text="Why this grade."),
)
GuidelineEntries = serializer_of_form(
    "GuidelineEntries",
    GuidelineForm,
    based_on=serializers.IntegerField(help_text="The number of the version that you have edited; 409 if it moved on."),
    cases=serializers.ListField(
        child=CaseEntries(), required=False, max_length=MOST_CASES, help_text="The worked examples, in order."
    ),
)


class Guideline(Address):
    serializer_class = GuidelineSerializer

    @extend_schema(responses=GuidelineSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The guideline that is in force. For all members."""
        collection = collection_for(self.person, slug, MEMBER)
        return self.one(collection.guideline)


class GuidelineVersions(Address):
    serializer_class: type[serializers.Serializer[Any]] = GuidelineLineSerializer

    @extend_schema(responses=GuidelineLineSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The versions of the guideline, the newest first, without their texts. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        versions = versions_of(collection)
        for version in versions:
            version.collection = collection
        return self.page_of(versions)

    @extend_schema(request=GuidelineEntries, responses={201: GuidelineSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str) -> Response:
        """Put this text in force. One that the collection had before comes back under its old number. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        texts, cases = _entered(request.data, collection)
        try:
            version = revise_guideline(collection, **texts, cases=cases, actor=self.person)
        except GuidelineMovedError as moved:
            raise NothingToChange(f"Version {moved.number} was saved meanwhile. Look at what it says.") from moved
        self.serializer_class = GuidelineSerializer
        return self.one(version, status.HTTP_201_CREATED)


class OneGuidelineVersion(Address):
    serializer_class = GuidelineSerializer

    @extend_schema(responses=GuidelineSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A version of the guideline, in force or not. For admins and researchers."""
        return self.one(guideline_version_for(self.person, slug, number))


def _entered(data: Any, collection: Collection) -> tuple[dict[str, Any], list[Case]]:
    sent = sent_entries(GuidelineEntries, data)
    rows = CaseRows(sent.pop("cases", ()), scale=collection.scale, bound=True)
    texts = checked_form(GuidelineForm, sent).cleaned_data
    if not rows.is_valid():
        reasons = [
            f"Example {number}: {name}: {reason}"
            for number, form in enumerate(rows.forms, 1)
            for name, reasons in form_errors(form).items()
            for reason in reasons
        ]
        raise refused({"cases": reasons})
    return texts, rows.cases()
