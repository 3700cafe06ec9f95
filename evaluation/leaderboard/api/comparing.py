"""Runs compared pair by pair on what they were evaluated to: differences, intervals, tests, effect sizes.

The numbers and keys are those of `manage.py compare --format json`; nothing is stored.
"""

import json
import math
from typing import Any, get_args

import numpy as np
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.page import Address
from annotation.kernel.api.parameters import ParametersSerializer
from annotation.kernel.api.refusals import refused
from evaluation.engine.comparison import Comparison, Design
from evaluation.engine.conclusions import compare_by
from evaluation.engine.measures import parse_measure
from evaluation.engine.order_agreement import order_agreements
from evaluation.engine.significance.corrections import Correction
from evaluation.engine.significance.intervals.result import Method
from evaluation.engine.significance.paired.result import Test
from evaluation.formats.comparison import as_json
from evaluation.leaderboard.api.comparison_serializers import RunsComparedSerializer
from evaluation.leaderboard.api.evaluations import AVERAGING, NamedSerializer
from evaluation.leaderboard.read.evaluations import evaluations_of, values_of
from evaluation.models import Evaluation

MOST_RUNS, MOST_MEASURES, MOST_DRAWS = 20, 5, 100_000
DEFAULT = Design()


class FiniteField(serializers.FloatField):
    """A number; neither infinite nor none at all."""

    def to_internal_value(self, data: Any) -> float:
        value = super().to_internal_value(data)
        if not math.isfinite(value):
            self.fail("invalid")
        return value


class ComparedSerializer(ParametersSerializer, NamedSerializer):
    """Which runs to compare, and how. A parameter that there is not is a fault."""

    snapshot = serializers.CharField(help_text="The name of a snapshot.")
    measure = serializers.ListField(
        child=serializers.CharField(max_length=100), max_length=MOST_MEASURES, help_text="Repeated; of the evaluations."
    )
    averaging = serializers.ChoiceField(AVERAGING, default="complete")
    correction = serializers.ChoiceField(get_args(Correction), default=DEFAULT.correction, help_text="Of p.")
    confidence = FiniteField(min_value=0.5, max_value=0.9999, default=DEFAULT.confidence)
    alpha = FiniteField(min_value=0.0001, max_value=0.5, default=DEFAULT.alpha)
    draws = serializers.IntegerField(min_value=1, max_value=MOST_DRAWS, default=None)
    seed = serializers.IntegerField(min_value=0, max_value=2**63 - 1, default=0, help_text="Of all that is drawn.")


class ComparedRunsSerializer(ComparedSerializer):
    """Some runs, pair by pair."""

    run = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        max_length=MOST_RUNS,
        help_text=f"Tags, repeated, at most {MOST_RUNS}; all that are evaluated if left out.",
    )
    test = serializers.ChoiceField([*get_args(Test), "tukey"], default=DEFAULT.test)
    interval = serializers.ChoiceField(get_args(Method), default=DEFAULT.interval, help_text="Of a difference.")
    baseline = serializers.CharField(default=None, help_text="A tag: every other run against it, not all pairs.")
    threshold = FiniteField(default=DEFAULT.threshold, help_text="Values that differ by no more are equal on a topic.")
    minimum_difference = FiniteField(default=None, help_text="The smallest that would matter: gives power and topics.")
    power = FiniteField(min_value=0.05, max_value=0.9999, default=DEFAULT.power)


class EvaluationsCompare(Address):
    serializer_class = ComparedRunsSerializer

    @extend_schema(parameters=[ComparedRunsSerializer], responses=RunsComparedSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Compare evaluated runs pair by pair, as `manage.py compare --format json` does. For admins and researchers.

        Takes some seconds where there are many runs.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        serializer = ComparedRunsSerializer(data=request.query_params, context={"collection": collection})
        serializer.is_valid(raise_exception=True)
        asked: dict[str, Any] = serializer.validated_data
        rows = evaluations_of(collection, snapshot=asked["snapshot"], averaging=asked["averaging"])
        comparisons = _compared(chosen_evaluations(list(rows), asked.get("run"), most=MOST_RUNS), asked)
        return Response(json.loads(as_json(comparisons, order_agreements(comparisons), asked["seed"])))


def chosen_evaluations(evaluations: list[Evaluation], tags: list[str] | None, *, most: int) -> list[Evaluation]:
    """Those of the tags, in the order in which they were named."""
    by_tag = {each.run.tag: each for each in evaluations}
    unknown = [tag for tag in tags or [] if tag not in by_tag]
    if unknown:
        raise refused({"run": [f"Not evaluated against this snapshot: {', '.join(unknown)}."]})
    chosen = [by_tag[tag] for tag in dict.fromkeys(tags or by_tag)]
    if not 2 <= len(chosen) <= most:
        raise refused({"run": [f"Two to {most} runs are compared; these are {len(chosen)}."]})
    return chosen


def _compared(evaluations: list[Evaluation], asked: dict[str, Any]) -> list[Comparison]:
    measures = measures_among(asked["measure"], evaluations)
    values = [values_of(each) for each in evaluations]
    rng = np.random.default_rng(asked["seed"])
    try:
        design = _design(asked)
        return compare_by(measures, values, design, rng=rng, seed=asked["seed"])
    except ValueError as reason:
        raise refused({"non_field_errors": [str(reason)]}) from reason


def measures_among(names: list[str], evaluations: list[Evaluation]) -> list[str]:
    """Each once, as it is printed; raises `ValidationError` as `_measure` does."""
    return list(dict.fromkeys(_measure(name, evaluations) for name in names))


def _measure(name: str, evaluations: list[Evaluation]) -> str:
    """As it is printed. Raises `ValidationError` for one that the evaluations lack, or whose means are geometric."""
    try:
        measure = parse_measure(name)
    except ValueError as reason:
        raise refused({"measure": [str(reason)]}) from reason
    if measure.summary == "geometric":
        raise refused({"measure": [f"No differences of geometric means ({measure}): compare AP or bpref."]})
    if any(str(measure) not in each.measures for each in evaluations):
        raise refused({"measure": [f"Not all of these runs are evaluated by {measure}."]})
    return str(measure)


def _design(asked: dict[str, Any]) -> Design:
    same = ("test", "correction", "interval", "confidence", "alpha", "baseline", "threshold", "power")
    return Design(**{name: asked[name] for name in same}, n_draws=asked["draws"], minimum=asked["minimum_difference"])
