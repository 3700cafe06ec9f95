"""What comparisons of runs are answered with, for the schema: the objects themselves are made by `formats`."""

from typing import Any

from rest_framework import serializers

from evaluation.formats.comparison import COLUMNS

NONE = "null where it does not exist."
WORDS = ("first", "second", "note")
COUNTS = ("better", "equal", "worse")
ALWAYS = ("mean_first", "mean_second", "difference", "low", "high", "p", "adjusted_p")
OF_ALL = ("measure", "test", "correction")  # which stand beside the pairs


def _of_pair(name: str) -> serializers.Field[Any, Any, Any, Any]:
    if name in WORDS:
        return serializers.CharField()
    if name in COUNTS:
        return serializers.IntegerField(help_text="Topics on which the first run is so.")
    if name == "topics_needed":
        return serializers.IntegerField(allow_null=True, help_text="For the power wanted; null without a difference.")
    if name in ALWAYS:
        return serializers.FloatField()
    return serializers.FloatField(allow_null=True, help_text=NONE)


ComparedPairSerializer: type[serializers.Serializer[Any]] = type(
    "ComparedPairSerializer",
    (serializers.Serializer,),
    {**{name: _of_pair(name) for name in COLUMNS if name not in OF_ALL}, "__doc__": "Differences are first − second."},
)


class ApartSerializer(serializers.Serializer[Any]):
    n_apart = serializers.IntegerField()
    n_pairs = serializers.IntegerField()


class ApartAtSerializer(ApartSerializer):
    alpha = serializers.FloatField()


class _TestedSerializer(serializers.Serializer[Any]):
    measure = serializers.CharField()
    test = serializers.CharField()
    correction = serializers.CharField()
    n_draws = serializers.IntegerField(help_text="0 where the test draws nothing.")
    exact = serializers.BooleanField(help_text="Whether every permutation was counted.")
    confidence = serializers.FloatField(help_text="Of the intervals.")
    n_topics = serializers.IntegerField()
    conclusion = serializers.ListField(child=serializers.CharField(), help_text="In sentences.")


class ComparedMeasureSerializer(_TestedSerializer):
    """Runs compared by one measure, pair by pair."""

    interval = serializers.CharField(help_text="By which method intervals are made.")
    baseline = serializers.CharField(allow_null=True)
    threshold = serializers.FloatField()
    minimum_difference = serializers.FloatField(allow_null=True)
    power_wanted = serializers.FloatField()
    mean = serializers.DictField(child=serializers.FloatField(), help_text="By tag.")
    apart = ApartAtSerializer(help_text="Pairs that the test tells apart.")
    pairs = ComparedPairSerializer(many=True)


class OrdersAgreeSerializer(serializers.Serializer[Any]):
    """How far two measures order the runs alike."""

    first = serializers.CharField(help_text="A measure.")
    second = serializers.CharField()
    tau_b = serializers.FloatField(allow_null=True, help_text=NONE)
    tau_ap_b = serializers.FloatField(allow_null=True, help_text=NONE)
    rbo = serializers.FloatField()
    rbo_p = serializers.FloatField()
    note = serializers.CharField()


class RunsComparedSerializer(serializers.Serializer[Any]):
    seed = serializers.IntegerField()
    measures = ComparedMeasureSerializer(many=True)
    agreement = OrdersAgreeSerializer(many=True, help_text="Of each two measures.")


class RunAmongManySerializer(serializers.Serializer[Any]):
    run = serializers.CharField()
    mean = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    best_rank = serializers.IntegerField()
    worst_rank = serializers.IntegerField()
    groups = serializers.CharField(help_text="Letters; runs that share one are not told apart.")


class ManyComparedSerializer(_TestedSerializer):
    """All pairs of many runs by one measure."""

    alpha = serializers.FloatField()
    apart = ApartSerializer(help_text="Pairs that the test tells apart.")
    runs = RunAmongManySerializer(many=True, help_text="The best first.")
    groups = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        allow_null=True,
        help_text="Tags of runs that are not told apart; null where that makes no groups in the order of the runs.",
    )
    difference = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()), help_text="Of means, run of the row minus column."
    )
    adjusted_p = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))


class ManyRunsComparedSerializer(serializers.Serializer[Any]):
    seed = serializers.IntegerField()
    measures = ManyComparedSerializer(many=True)
