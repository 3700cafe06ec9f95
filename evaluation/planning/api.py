"""An experiment planned: the numbers and words of `manage.py plan_experiment --json`. Nothing is stored."""

from typing import get_args

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.page import Address
from annotation.kernel.api.parameters import ParametersSerializer
from annotation.kernel.api.refusals import cleaned, refusals
from annotation.models import TopicVersion
from evaluation.engine.planning.plan import Question, Solved, plan
from evaluation.formats.estimates import as_facts as as_estimate_facts
from evaluation.formats.plan import as_facts
from evaluation.leaderboard.pages.words import AVERAGING
from evaluation.planning.forms import DESIGNS, MOST, EstimatesForm
from evaluation.planning.read import sampled_topics

USUAL = Question()


class PlanSerializer(ParametersSerializer):
    """What is known, as numbers; one of size, difference and power, or of size and width, is left out and found."""

    design = serializers.ChoiceField(DESIGNS, default=USUAL.design)
    rate = serializers.FloatField(default=None, help_text="Share of units with the outcome, as it is today.")
    baseline = serializers.FloatField(default=None, help_text="The mean as it is today, for a relative difference.")
    deviation = serializers.FloatField(default=None, help_text="Standard deviation; of topics, of their differences.")
    difference = serializers.FloatField(default=None, help_text="The smallest that matters, in the measure's unit.")
    relative = serializers.FloatField(default=None, help_text="The same as a share of the rate or the baseline.")
    width = serializers.FloatField(default=None, help_text="The ± of an interval.")
    n = serializers.IntegerField(default=None, min_value=2, max_value=MOST, help_text="Units of the first group.")
    power = serializers.FloatField(default=None, help_text="0.8 unless it is what is asked.")
    alpha = serializers.FloatField(default=USUAL.alpha)
    n_tests = serializers.IntegerField(default=USUAL.n_tests, min_value=1, max_value=MOST)
    ratio = serializers.FloatField(default=USUAL.ratio, help_text="The second group by the first.")
    cluster_size = serializers.FloatField(default=USUAL.cluster_size, help_text="Mean units of a cluster.")
    correlation = serializers.FloatField(default=USUAL.correlation, help_text="Between units of a cluster.")
    size_variation = serializers.FloatField(default=USUAL.size_variation, help_text="Of the clusters' sizes.")


class PlannedSerializer(serializers.Serializer[None]):
    """Which of the numbers is the answer, the numbers, and the same in words; null: not of this design."""

    design = serializers.ChoiceField(DESIGNS)
    solved = serializers.ChoiceField(get_args(Solved))
    n = serializers.IntegerField(help_text="Units of the first group, or topics.")
    n_second = serializers.IntegerField(help_text="Units of the second group; 0 where there is one.")
    n_clusters = serializers.IntegerField(help_text="In the first group; 0 without clusters.")
    difference = serializers.FloatField(allow_null=True)
    relative = serializers.FloatField(allow_null=True)
    power = serializers.FloatField(allow_null=True)
    width = serializers.FloatField(allow_null=True, help_text="The ± of an interval.")
    deviation = serializers.FloatField(allow_null=True)
    alpha = serializers.FloatField(help_text="Of each test.")
    design_effect = serializers.FloatField()
    notes = serializers.ListField(child=serializers.CharField())
    words = serializers.ListField(child=serializers.CharField())


class SampledTopicSerializer(serializers.Serializer[TopicVersion]):
    number = serializers.CharField(source="topic.number")
    title = serializers.CharField()
    count = serializers.IntegerField(source="topic.sampled.count", help_text="How often it was asked.")
    stratum = serializers.CharField(source="topic.sampled.stratum")
    probability = serializers.FloatField(source="topic.sampled.probability", help_text="Of inclusion.")


class ExperimentSample(Address):
    serializer_class = SampledTopicSerializer

    @extend_schema(responses=SampledTopicSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Topics that were drawn from the newest query log, with their inclusion probabilities. For admins and
        researchers."""
        return self.page_of(sampled_topics(collection_for(self.person, slug, RESEARCH)))


class EstimatedSerializer(serializers.Serializer[None]):
    """Which evaluated runs to estimate, by which measure."""

    snapshot = serializers.CharField(required=False, help_text="By name; the newest with an evaluation, if left out.")
    measure = serializers.CharField(required=False, help_text="Of the evaluations; the first, if left out.")
    averaging = serializers.ChoiceField(AVERAGING, default="complete")


class EstimateSerializer(serializers.Serializer[None]):
    """A mean with its interval; null where the sample does not tell its error."""

    mean = serializers.FloatField()
    standard_error = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    confidence = serializers.FloatField()
    df = serializers.FloatField(help_text="Degrees of freedom; 0 where all units are in the sample.")
    n = serializers.IntegerField(help_text="Topics of the sample.")
    note = serializers.CharField(help_text="What a reader should know; may be empty.")


class RunEstimateSerializer(serializers.Serializer[None]):
    """One run by one measure."""

    run = serializers.CharField()
    measure = serializers.CharField()
    sample = serializers.FloatField(help_text="The mean over the topics of the sample, unweighted.")
    queries = EstimateSerializer(help_text="Over all queries of the log.")
    traffic = EstimateSerializer(help_text="Over all times they were asked.")
    missing = serializers.IntegerField(help_text="Topics of the sample without a value.")


class EstimatesSerializer(serializers.Serializer[None]):
    log = serializers.CharField(help_text="The query log that the topics were drawn from.")
    topics = serializers.IntegerField()
    left_aside = serializers.IntegerField(help_text="Topics with a value that were not drawn from it.")
    estimates = RunEstimateSerializer(many=True)


class ExperimentEstimates(Address):
    serializer_class = EstimatedSerializer

    @extend_schema(parameters=[EstimatedSerializer], responses=EstimatesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Estimate means of evaluated runs over all queries of the log that the topics were drawn from, and over all
        traffic. For admins and researchers. `estimates` is what `manage.py estimate_means --json` gives.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        form = EstimatesForm(request.query_params, collection=collection)
        cleaned(form)
        with refusals(ValueError):
            estimates = form.estimates()
        facts = {"log": estimates.log, "topics": estimates.n_topics, "left_aside": estimates.n_strangers}
        return Response({**facts, "estimates": [as_estimate_facts(one) for one in estimates.rows]})


class ExperimentPlan(Address):
    serializer_class = PlanSerializer

    @extend_schema(parameters=[PlanSerializer], responses=PlannedSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Say how large an experiment must be, what it can show, or how wide its interval will be.

        For admins and researchers. The numbers are those of `manage.py plan_experiment --json`.
        """
        collection_for(self.person, slug, RESEARCH)
        serializer = PlanSerializer(data=request.query_params)
        serializer.is_valid(raise_exception=True)
        with refusals(ValueError):
            answer = plan(Question(**serializer.validated_data))
        return Response(as_facts(answer))
