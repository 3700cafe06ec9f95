"""Pools from the tops of runs: counted, and made."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus.pages.api_pools import PoolSerializer
from annotation.corpus.read.texts import topics_with_text
from annotation.formats.problems import FormatError
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import reasons_of, refused
from annotation.kernel.forms import ALL, LISTED, POOL_NAME_TAKEN
from annotation.kernel.taken import TakenError
from annotation.models import Collection
from evaluation.runs.forms import CountForm, PoolForm
from evaluation.runs.read import not_in_collection, runs_of
from evaluation.runs.steps.pooling import PoolCount, count_pool, create_pool_from_runs


class PoolCountSerializer(serializers.Serializer[PoolCount]):
    n_pairs = serializers.IntegerField()
    n_topics = serializers.IntegerField()
    fewest = serializers.IntegerField(help_text="Pairs of the topic that has fewest.")
    most = serializers.IntegerField()
    empty = serializers.ListField(
        child=serializers.CharField(), help_text="Numbers of topics for which no run has a document."
    )


PoolOfRunsEntries = serializer_of_form(
    "PoolOfRunsEntries",
    PoolForm,
    name=serializers.CharField(max_length=100, required=False, help_text="Needed unless it is only counted."),
    runs=serializers.ListField(child=serializers.CharField(), allow_empty=False, help_text="Tags."),
    numbers=serializers.ListField(
        child=serializers.CharField(), allow_empty=False, required=False, help_text="Of topics; without them, all."
    ),
    dry_run=serializers.BooleanField(required=False, help_text="Only count: nothing is stored."),
    without=("topics",),
)


class PoolFromRuns(Address):
    serializer_class: type[serializers.Serializer[Any]] = PoolSerializer

    @extend_schema(request=PoolOfRunsEntries, responses={201: PoolSerializer, 200: PoolCountSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Make a pool of the tops of runs; with `dry_run`, say how many pairs it would have.

        For admins and researchers.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        sent = sent_entries(PoolOfRunsEntries, request.data)
        only_count = sent.pop("dry_run", False)
        options = {"runs": runs_of(collection), "collection_numbers": _numbers(collection)}
        entered = _as_in_form(sent, collection)
        if only_count:
            fields = checked_form(CountForm, entered, **options).cleaned_data
            count = count_pool(list(fields["runs"]), depth=fields["depth"], numbers=fields["numbers"])
            return Response(PoolCountSerializer(count).data)
        fields = checked_form(PoolForm, entered, collection=collection, **options).cleaned_data
        try:
            pool = create_pool_from_runs(
                collection,
                name=fields["name"],
                runs=list(fields["runs"]),
                depth=fields["depth"],
                numbers=fields["numbers"],
                created_by=self.person,
            )
        except FormatError as error:
            raise refused({"runs": reasons_of(error, row="Pair")}) from error
        except TakenError as error:
            raise refused({"name": [POOL_NAME_TAKEN]}) from error
        return self.one(pool, status.HTTP_201_CREATED)


def _as_in_form(sent: dict[str, Any], collection: Collection) -> dict[str, Any]:
    """Runs by their tags, and which topics."""
    pks = dict(runs_of(collection).filter(tag__in=sent["runs"]).values_list("tag", "pk"))
    unknown = [tag for tag in sent["runs"] if tag not in pks]
    if unknown:
        raise refused({"runs": [not_in_collection(unknown)]})
    numbers = sent.get("numbers")
    topics = {"topics": LISTED, "numbers": "\n".join(numbers)} if numbers else {"topics": ALL}
    return {**sent, "runs": list(pks.values()), **topics}


def _numbers(collection: Collection) -> set[str]:
    return set(topics_with_text(collection).values_list("number", flat=True))
