"""Many runs compared on what they were evaluated to: which can be told apart; by a job, where that takes long."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.http import urlencode
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.page import Address, job_address
from annotation.kernel.api.refusals import refusals, refused
from evaluation.engine.comparison import Design
from evaluation.engine.many_runs import DESIGN, OF_MEANS
from evaluation.formats.many_runs import as_json
from evaluation.leaderboard.api.comparing import ComparedSerializer, chosen_evaluations, measures_among
from evaluation.leaderboard.api.comparison_serializers import ManyRunsComparedSerializer
from evaluation.leaderboard.read.comparing import ManyQuestion, known_many
from evaluation.leaderboard.read.evaluations import evaluations_of
from evaluation.leaderboard.steps.comparing import ask_comparison

MOST_RUNS = 300
LONG = "That takes longer than an answer may: ask for it by POST, and for this again once the job is done."


class ComparedManySerializer(ComparedSerializer):
    """Many runs, all pairs."""

    run = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        max_length=MOST_RUNS,
        help_text=f"Tags, repeated, at most {MOST_RUNS}; all that are evaluated if left out.",
    )
    test = serializers.ChoiceField(OF_MEANS, default=DESIGN.test)


class ManyAskedSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that compares.")
    comparison_url = serializers.URLField(help_text="Where the comparison is once it is done.")


class EvaluationsCompareMany(Address):
    serializer_class = ComparedManySerializer

    @extend_schema(parameters=[ComparedManySerializer], responses=ManyRunsComparedSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Say which of many runs can be told apart, as `manage.py compare_many --json` does.

        For admins and researchers. What takes longer than half a second is asked for by POST, and is here once its job
        is done.
        """
        questions = self._questions(slug, request.query_params)
        with refusals(ValueError):
            many = [known_many(question) for question in questions]
        comparisons = [one for one in many if one]
        if len(comparisons) < len(many):
            raise refused({"non_field_errors": [LONG]})
        return Response(json.loads(as_json(comparisons, questions[0].seed)))

    @extend_schema(request=ComparedManySerializer, responses={202: ManyAskedSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Compare many runs by one measure in a job; what was compared before is not compared anew."""
        question, *others = self._questions(slug, request.data)
        if others:
            raise refused({"measure": ["One at a time."]})
        with refusals(ValueError):
            job = ask_comparison(question, created_by=self.person)
        address = reverse("api_evaluations_compare_many", args=[slug], request=request)
        query = urlencode(list(_in_query(dict(request.data))))
        return self.queued({"job_url": job_address(request, job), "comparison_url": f"{address}?{query}"})

    def _questions(self, slug: str, data: Any) -> list[ManyQuestion]:
        """One a measure."""
        collection = collection_for(self.person, slug, RESEARCH)
        serializer = ComparedManySerializer(data=data, context={"collection": collection})
        serializer.is_valid(raise_exception=True)
        asked: dict[str, Any] = serializer.validated_data
        rows = evaluations_of(collection, snapshot=asked["snapshot"], averaging=asked["averaging"])
        chosen = chosen_evaluations(list(rows), asked.get("run"), most=MOST_RUNS)
        measures, design = measures_among(asked["measure"], chosen), _design(asked)
        return [ManyQuestion(asked["snapshot"], chosen, measure, design, asked["seed"]) for measure in measures]


def _in_query(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What was sent, as an address says it."""
    for name, value in data.items():
        yield from ((name, one) for one in (value if isinstance(value, list) else [value]))


def _design(asked: dict[str, Any]) -> Design:
    same = ("test", "correction", "confidence", "alpha")
    return Design(**{name: asked[name] for name in same}, n_draws=asked["draws"])
