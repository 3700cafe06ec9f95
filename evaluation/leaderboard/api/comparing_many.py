"""Many runs compared on what they were evaluated to: which can be told apart. Nothing is stored."""

import json
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import refused
from evaluation.engine.comparison import Design
from evaluation.engine.many_runs import DESIGN, OF_MEANS
from evaluation.formats.many_runs import as_json
from evaluation.leaderboard.api.comparing import ComparedSerializer, chosen_evaluations, measures_among
from evaluation.leaderboard.api.comparison_serializers import ManyRunsComparedSerializer
from evaluation.leaderboard.read import evaluations_of, many_compared

MOST_RUNS = 300


class ComparedManySerializer(ComparedSerializer):
    """Many runs, all pairs."""

    run = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        max_length=MOST_RUNS,
        help_text=f"Tags, repeated, at most {MOST_RUNS}; all that are evaluated if left out.",
    )
    test = serializers.ChoiceField(OF_MEANS, default=DESIGN.test)


class EvaluationsCompareMany(Address):
    serializer_class = ComparedManySerializer

    @extend_schema(parameters=[ComparedManySerializer], responses=ManyRunsComparedSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Say which of many runs can be told apart, as `manage.py compare_many --json` does.

        For admins and researchers. Takes some seconds for hundreds of runs.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        serializer = ComparedManySerializer(data=request.query_params, context={"collection": collection})
        serializer.is_valid(raise_exception=True)
        asked: dict[str, Any] = serializer.validated_data
        rows = evaluations_of(collection, snapshot=asked["snapshot"], averaging=asked["averaging"])
        chosen = chosen_evaluations(list(rows), asked.get("run"), most=MOST_RUNS)
        measures, seed = measures_among(asked["measure"], chosen), asked["seed"]
        try:
            many = [many_compared(chosen, measure, _design(asked), seed=seed) for measure in measures]
        except ValueError as reason:
            raise refused({"non_field_errors": [str(reason)]}) from reason
        return Response(json.loads(as_json(many, seed)))


def _design(asked: dict[str, Any]) -> Design:
    same = ("test", "correction", "confidence", "alpha")
    return Design(**{name: asked[name] for name in same}, n_draws=asked["draws"])
