"""Vectors: the list, one set, searching. They come in as imports of the kind `vectors`."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address, job_address, or_404
from annotation.kernel.api.refusals import NOTHING, conflicts
from annotation.models import Collection
from evaluation.models import VectorSet
from evaluation.vectors.forms import VectorSearchForm
from evaluation.vectors.read import vectors_named, vectors_of
from evaluation.vectors.steps.deletion import VectorsUsedError, delete_vectors
from evaluation.vectors.steps.searching import ask_search

SearchEntries = serializer_of_form(
    "VectorSearchEntries", VectorSearchForm, model=serializers.CharField(help_text="Whose vectors are searched.")
)


class VectorSetSerializer(serializers.Serializer[VectorSet]):
    model = serializers.CharField()
    side = serializers.ChoiceField(VectorSet.Side.choices)
    similarity = serializers.ChoiceField(VectorSet.Similarity.choices, help_text="What they are meant for.")
    description = serializers.CharField()
    dim = serializers.IntegerField(help_text="Dimensions.")
    n_rows = serializers.IntegerField()
    numbers = serializers.CharField(help_text="Of what type they came; they are kept as float32.")
    n_unknown = serializers.IntegerField(help_text="Ids that were no text of the collection when they came.")
    n_missing = serializers.IntegerField(help_text="Texts of the collection that had no vector then.")
    filename = serializers.CharField()
    sha256 = serializers.CharField(help_text="Of the packed vectors and ids.")
    created_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, vectors: VectorSet) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_vectors_set", args=[slug, vectors.side, vectors.model], request=self.context["request"])


class Vectors(Address):
    serializer_class = VectorSetSerializer

    @extend_schema(responses=VectorSetSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The sets of vectors of a collection, by model and side. For admins and researchers."""
        return self.page_of(vectors_of(collection_for(self.person, slug, RESEARCH)))


class OneVectorSet(Address):
    serializer_class = VectorSetSerializer

    @extend_schema(responses=VectorSetSerializer)
    def get(self, request: Request, slug: str, side: str, model: str) -> Response:
        """The vectors of a model for the queries or the documents."""
        return self.one(set_of(collection_for(self.person, slug, RESEARCH), side, model))

    @extend_schema(responses={204: None, 409: NOTHING})
    def delete(self, request: Request, slug: str, side: str, model: str) -> Response:
        """Delete vectors. 409 where a run was searched with them. For admins."""
        vectors = set_of(collection_for(self.person, slug, ADMIN), side, model)
        with conflicts(VectorsUsedError):
            delete_vectors(vectors, actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SearchedRunSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that searches.")
    run_url = serializers.URLField(help_text="Where the run is once it is there.")


class SearchedRuns(Address):
    serializer_class: type[serializers.Serializer[Any]] = SearchedRunSerializer

    @extend_schema(request=SearchEntries, responses={202: SearchedRunSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Find a new run by exact search with the vectors of a model. A worker does it. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        form = checked_form(VectorSearchForm, sent_entries(SearchEntries, request.data), collection=collection)
        job = ask_search(collection, **form.cleaned_data, created_by=self.person)
        run_url = reverse("api_run", args=[slug, form.cleaned_data["tag"]], request=request)
        return self.queued({"job_url": job_address(request, job), "run_url": run_url})


def set_of(collection: Collection, side: str, model: str) -> VectorSet:
    return or_404(vectors_named(collection, side, model), "vectors")
