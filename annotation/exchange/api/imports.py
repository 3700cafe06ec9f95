"""Files on their way in: brought, checked, published or stopped."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError as DjangoError
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiRequest, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.exchange.forms.imports import FORMS, format_choices
from annotation.exchange.read.imports import imports_in_work, imports_of, is_awaited, job_of
from annotation.exchange.steps.importing import cancel_import, publish_import, recheck_import, start_import
from annotation.formats.objects import strict_json
from annotation.formats.problems import Problem
from annotation.kernel.access import RESEARCH, collection_for, import_for, importers_of
from annotation.kernel.api.page import Address, job_address, validated_data
from annotation.kernel.api.parsers import FilesInParts, StrictJson, WholeBody
from annotation.kernel.uploads import ImportForm
from annotation.models import Collection, Import


class ProblemSerializer(serializers.Serializer[Problem]):
    file = serializers.CharField()
    line = serializers.IntegerField(help_text="From 1; 0 means the file as a whole.")
    reason = serializers.CharField()


class ImportLineSerializer(serializers.Serializer[Import]):
    id = serializers.IntegerField()
    kind = serializers.ChoiceField(Import.Kind.choices)
    state = serializers.SerializerMethodField(
        help_text="`storing` from when publishing is asked for, though a worker may still have to take it up."
    )
    filename = serializers.CharField()
    sha256 = serializers.CharField()
    n_problems = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)
    url = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ChoiceField(Import.State.choices))
    def get_state(self, record: Import) -> str:
        context = self.context
        assert isinstance(context, dict)  # one for all rows of a list
        if "in_work" not in context:
            context["in_work"] = imports_in_work(record.collection)
        is_queued = is_awaited(record.state, context["in_work"].get(record.pk))
        return str(Import.State.STORING if is_queued else record.state)

    def get_url(self, record: Import) -> str:
        return reverse("api_import", args=[record.collection.slug, record.pk], request=self.context["request"])


class ImportSerializer(ImportLineSerializer):
    name = serializers.SerializerMethodField(
        help_text="What it becomes: a run's tag, a snapshot's or pool's name, a model."
    )
    preview = serializers.SerializerMethodField(
        help_text="What would be stored, or was: `format` (what the file is read as), `counts`, the first `rows`; "
        "of a whole collection, `tables` with those of each file."
    )
    problems = ProblemSerializer(many=True, help_text="The first 10,000.")
    notes = serializers.SerializerMethodField(help_text="What was changed or left aside on the way in.")
    problems_url = serializers.SerializerMethodField(help_text="The problems in pages.")
    job_url = serializers.SerializerMethodField(help_text="The job that works on it, or did so last.")

    def get_name(self, record: Import) -> str | None:
        """Known once the file is checked."""
        tag, options = record.preview.get("facts", {}).get("tag"), record.options
        return tag or options.get("name") or options.get("model") or None

    def get_preview(self, record: Import) -> dict[str, Any]:
        return preview_for_programs(record.preview)

    def get_notes(self, record: Import) -> list[str]:
        return list(record.preview.get("notes", []))

    def get_problems_url(self, record: Import) -> str:
        at = [record.collection.slug, record.pk]
        return reverse("api_import_problems", args=at, request=self.context["request"])

    def get_job_url(self, record: Import) -> str | None:
        return job_address(self.context["request"], job_of(record))


def preview_for_programs(preview: Mapping[str, Any]) -> dict[str, Any]:
    """A preview as a program gets it."""
    parts = {name: preview[name] for name in ("format", "columns", "rows", "tables", "aside") if name in preview}
    return {**parts, "counts": dict(preview.get("counts", []))}


@extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
class ColumnsField(serializers.Field[dict[str, str], str, dict[str, str], Any]):
    """`{"docno": "passage"}`: what a column or key of the file means, by the meaning. In a form, JSON as text."""

    def to_internal_value(self, data: object) -> dict[str, str]:
        try:
            columns = strict_json(data) if isinstance(data, str) else data
        except ValueError:
            columns = None
        if not isinstance(columns, dict) or not all(isinstance(name, str) for pair in columns.items() for name in pair):
            raise serializers.ValidationError('An object of texts is expected, such as {"docno": "passage"}.')
        if any("\x00" in name for pair in columns.items() for name in pair):
            raise serializers.ValidationError("Null characters are not allowed.")
        return columns

    def to_representation(self, value: dict[str, str]) -> dict[str, str]:
        return value


class ReadingSerializer(serializers.Serializer[None]):
    """How a file is read."""

    format = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="The name of a form; without one, the content says."
    )
    columns = ColumnsField(
        required=False, default=dict, help_text='Which column or key holds what: `{"docno": "passage"}`.'
    )


def _answer_in_text(help_text: str) -> serializers.CharField:
    return serializers.CharField(required=False, allow_blank=True, help_text=help_text)


class SamplingSerializer(ReadingSerializer):
    """Of a query log: how topics are drawn from it. Numbers as text; docs/samples.md says what they mean."""

    total = _answer_in_text("Of a query log: topics wanted.")
    minimum = _answer_in_text("Of a query log: topics of each stratum, at least.")
    by = _answer_in_text("Of a query log: the column of strata; else by frequency.")
    head = _answer_in_text("So many queries, or below 1 such a share of the traffic.")
    torso = _answer_in_text("The same of those that follow.")
    rule = _answer_in_text("`proportional`, `equal` or `neyman`.")
    deviation = _answer_in_text("For `neyman`: `head=0.2, tail=0.4`.")
    oversample = _answer_in_text("So many times its share: `tail=3`.")
    rounding = _answer_in_text("`largest_remainder` or `floor`.")
    seed = _answer_in_text("Of what is drawn.")
    number_prefix = _answer_in_text("Before the numbers of topics.")
    query_column = _answer_in_text("Of a query log: which one holds queries.")
    count_column = _answer_in_text("Which says how often each was asked.")


class ExperimentLogSerializer(SamplingSerializer):
    """Of the log of an A/B test: what its columns are."""

    variant_column = _answer_in_text("Of an experiment: which one names the variant; else as its name says.")
    unit_column = _answer_in_text("Of an experiment: which one names the unit; one that stands twice is refused.")
    number_columns = _answer_in_text("Of an experiment: those of numbers, with commas between.")


class AnswersSerializer(ExperimentLogSerializer):
    """What kinds ask for; each only some of it."""

    on_conflict = serializers.CharField(
        required=False, help_text="Topics and documents here with another text: `refuse`, `version` or `skip`."
    )
    name = serializers.CharField(
        required=False,
        help_text="Of the snapshot, the pool, the batch or the experiment it becomes; what clicks are called.",
    )
    snapshot = serializers.CharField(required=False, help_text="Of clicks: beside whose judgments they are set.")
    attraction = serializers.CharField(required=False, help_text="Of clicks: what attracts alike, `pair` or `grade`.")
    estimator = serializers.CharField(required=False, help_text="Of clicks: `ips` or `ratio`.")
    tag = serializers.CharField(required=False, help_text="Of the run, instead of the tag in the file.")
    annotators = serializers.CharField(
        required=False, help_text="People who came with earlier judgments under the same id are the `same`, or `new`."
    )
    machines = serializers.CharField(
        required=False,
        help_text="Of judgments: ids of the annotators that are machine judges, with commas between; `*` is all.",
    )
    grades = serializers.CharField(
        required=False,
        help_text="What the grades of qrels, gold, judgments or a folder are here: `highly relevant=3, 16=4, "
        "broken link=cannot`; `=cannot` for empty ones.",
    )
    unknown = serializers.CharField(
        required=False,
        help_text="Of pairs, gold and vectors: those whose topic or document is not here. `refuse` the file, or `skip` "
        "them: `preview.aside` lists them. Vectors you may `keep`.",
    )
    model = serializers.CharField(required=False, help_text="Whose vectors they are.")
    side = serializers.CharField(required=False, help_text="Of vectors: of `queries` or of `documents`.")
    similarity = serializers.CharField(
        required=False, help_text="What vectors are meant for: `cosine`, `inner` or `euclidean`."
    )


class BroughtSerializer(AnswersSerializer):
    """A file, and what is to be done with it."""

    kind = serializers.ChoiceField(Import.Kind.choices)
    file = serializers.FileField(max_length=255, help_text="As a part of the form; else the body is the file.")
    publish = serializers.BooleanField(
        required=False, default=False, help_text="Store it without asking if it has no problem; needs a `format`."
    )
    description = serializers.CharField(required=False, help_text="Of the run, the vectors or the experiment.")
    ids = serializers.FileField(
        required=False,
        max_length=255,
        help_text="Of vectors as .npy or .safetensors: a file with an id a line. As a part of the form, as the file.",
    )

    def validate_kind(self, kind: str) -> str:
        if kind not in FORMS:
            raise serializers.ValidationError(f"A {Import.Kind(kind).label.lower()} comes in by command only.")
        return kind


class TooLateError(APIException):
    status_code = status.HTTP_409_CONFLICT
    default_detail = "This import has gone on."


@contextmanager
def refusals_as_conflicts() -> Iterator[None]:
    """409 where a step says that it is too late."""
    try:
        yield
    except ValueError as error:
        raise TooLateError(str(error)) from error


TOO_LATE = OpenApiResponse(OpenApiTypes.OBJECT, "It is not in a state in which this can be done.")
IN_ADDRESS = [
    OpenApiParameter(name, description="Where the body is the file.")
    for name in ("filename", *BroughtSerializer().fields)
    if name not in ("file", "ids")
]


class Imports(Address):
    serializer_class = ImportLineSerializer
    parser_classes = [FilesInParts, WholeBody]

    @extend_schema(responses=ImportLineSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The imports of a collection, the newest first. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        return self.page_of(imports_of(collection).select_related("collection"))

    @extend_schema(
        parameters=IN_ADDRESS,
        request={
            "multipart/form-data": OpenApiRequest(BroughtSerializer),
            "application/octet-stream": OpenApiRequest(OpenApiTypes.BINARY),
        },
        responses={202: ImportSerializer, 413: OpenApiResponse(OpenApiTypes.OBJECT, "The file is over the limit.")},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Bring a file, as a form or as the body. A worker checks it; publish it then, or ask for that at once."""
        answers = validated_data(BroughtSerializer(data=request.data))
        collection = collection_for(self.person, slug, importers_of(answers["kind"]))
        file = answers["file"]
        form = _valid(collection, request, answers)
        record = start_import(
            collection,
            kind=answers["kind"],
            stream=file.file,
            filename=file.name,
            created_by=self.person,
            publish=form.cleaned_data["publish"],
            **form.options(),
            columns=answers["columns"],
        )
        self.serializer_class = ImportSerializer
        return self.queued(self.get_serializer(record).data)


class OneImport(Address):
    serializer_class = ImportSerializer

    @extend_schema(responses=ImportSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """How an import stands: its state, what it is read as, and every problem by file, line and reason."""
        return self.one(import_for(self.person, slug, pk))


class ImportProblems(Address):
    serializer_class = ProblemSerializer

    @extend_schema(responses=ProblemSerializer(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The problems of an import by line; the first 10,000 are kept."""
        return self.page_of(import_for(self.person, slug, pk).problems)


class ImportCheck(Address):
    serializer_class = ImportSerializer

    @extend_schema(request=AnswersSerializer, responses={202: ImportSerializer, 409: TOO_LATE})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Check the kept file anew, read as said: until it is published."""
        record = import_for(self.person, slug, pk, change=True)
        chosen = validated_data(AnswersSerializer(data=request.data))
        format_name, columns = chosen.pop("format"), chosen.pop("columns")
        _require_format(record.kind, format_name)
        answers = _answers(record.kind, chosen)
        with refusals_as_conflicts():
            recheck_import(record, format_name=format_name, columns=columns, actor=self.person, **answers)
        return self.queued(self.get_serializer(import_for(self.person, slug, pk)).data)


class ConfirmedSerializer(serializers.Serializer[None]):
    """What is said on publishing."""

    correct = serializers.IntegerField(
        required=False,
        default=None,
        help_text="Of gold: how many pairs that are gold it corrects, as `preview.counts` says; needed where it does.",
    )


class ImportPublish(Address):
    serializer_class = ImportSerializer
    parser_classes = [StrictJson, FormParser, MultiPartParser]

    @extend_schema(request=ConfirmedSerializer, responses={202: ImportSerializer, 409: TOO_LATE})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Store a checked import and make it visible, all at once. A second request gets the first one's job."""
        record = import_for(self.person, slug, pk, change=True)
        correct = validated_data(ConfirmedSerializer(data=request.data))["correct"]
        with refusals_as_conflicts():
            publish_import(record, actor=self.person, correct=correct)
        return self.queued(self.get_serializer(import_for(self.person, slug, pk)).data)


class ImportCancel(Address):
    serializer_class = ImportSerializer

    @extend_schema(request=None, responses=ImportSerializer)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Stop an import that is not published: nothing of it stays. What runs ends at its next step."""
        cancel_import(import_for(self.person, slug, pk, change=True), actor=self.person)
        return self.one(import_for(self.person, slug, pk))


def _valid(collection: Collection, request: Request, answers: dict[str, Any]) -> ImportForm:
    """What the page's own form makes of it, by which it is judged alike."""
    kind, file = answers["kind"], answers["file"]
    _require_format(kind, answers["format"])
    if answers["publish"] and not answers["format"]:
        raise serializers.ValidationError({"publish": ["Only with a format: what was only recognised is shown first."]})
    fields = FORMS[kind].base_fields
    data = {name: field.initial for name, field in fields.items() if field.initial is not None}
    body: Mapping[str, Any] = request.data if isinstance(request.data, Mapping) else {}
    data |= {name: body[name] for name in fields if name in body and name not in ("file", "ids")}
    formats = format_choices(kind)
    files = {"file": file} | ({"ids": answers["ids"]} if "ids" in fields and answers.get("ids") else {})
    form = FORMS[kind](data, files, collection=collection, formats=formats)
    if not form.is_valid():
        raise serializers.ValidationError({name: [str(r) for r in reasons] for name, reasons in form.errors.items()})
    return form


def _answers(kind: str, answers: dict[str, str]) -> dict[str, str]:
    """Those that the kind asks again, each as the page's form takes it."""
    form_class = FORMS.get(kind, ImportForm)
    try:
        return {
            name: form_class.base_fields[name].clean(answers[name])
            for name in form_class.asked_again
            if name in answers
        }
    except DjangoError as fault:
        raise serializers.ValidationError(fault.messages) from fault


def _require_format(kind: str, name: str) -> None:
    names = [each for each, _ in format_choices(kind)]
    if name and name not in names:
        raise serializers.ValidationError({"format": [f"There is no form {name}; there are {', '.join(names)}."]})
