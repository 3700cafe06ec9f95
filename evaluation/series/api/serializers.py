"""What programs send and read of series."""

from rest_framework import serializers

from annotation.kernel.api.form_entries import serializer_of_form
from evaluation.models import Series, SeriesAlert, SeriesNote, SeriesPoint
from evaluation.series.forms import CloseForm, PointForm, SeriesNoteForm
from evaluation.series.pages.overview import Overview

TIME = "ISO 8601; now, if it is left out."
PointEntries = serializer_of_form(
    "PointEntries", PointForm, time=serializers.DateTimeField(required=False, allow_null=True, help_text=TIME)
)
NoteEntries = serializer_of_form(
    "NoteEntries", SeriesNoteForm, time=serializers.DateTimeField(required=False, allow_null=True, help_text=TIME)
)
CloseEntries = serializer_of_form("CloseEntries", CloseForm)


class PointsEntries(serializers.Serializer[None]):
    points = PointEntries(many=True, allow_empty=False)


class SeriesSerializer(serializers.ModelSerializer[Series]):
    """A series in a list: what it measures, by which rule, when."""

    schedule = serializers.ChoiceField(list(Series.Schedule.choices), help_text="Empty: by hand.")
    is_alarmed = serializers.BooleanField(help_text="Whether an alert is open.")
    n_points = serializers.IntegerField(help_text="Points with a value.")
    last_time = serializers.DateTimeField(allow_null=True, help_text="Of the last point with a value.")

    class Meta:
        model = Series
        fields = (
            *("id", "name", "description", "kind", "of", "bad", "rule", "n_history", "rate", "horizon", "block"),
            *("low", "high", "schedule", "hour", "zone", "next_due", "created_at", "ended_at"),
            *("is_alarmed", "n_points", "last_time"),
        )


class SeriesPointSerializer(serializers.ModelSerializer[SeriesPoint]):
    """`value` is null where `n_missed` moments of the schedule were missed."""

    class Meta:
        model = SeriesPoint
        fields = ("time", "value", "low", "high", "n_missed", "reason", "source", "rests_on", "key")


class SeriesAlertSerializer(serializers.ModelSerializer[SeriesAlert]):
    time = serializers.DateTimeField(source="point.time", help_text="Of the point that was above the threshold.")
    value = serializers.FloatField(source="point.value")
    direction = serializers.CharField(help_text="up or down.")  # as a choice it would rename another one of the schema
    seen_by = serializers.CharField(source="seen_by.username", default=None, allow_null=True)
    closed_by = serializers.CharField(source="closed_by.username", default=None, allow_null=True)

    class Meta:
        model = SeriesAlert
        fields = (
            *("time", "value", "since", "direction", "level", "threshold", "opened_at", "seen_at", "seen_by"),
            *("closed_at", "closed_by", "note"),
        )


class SeriesNoteSerializer(serializers.ModelSerializer[SeriesNote]):
    class Meta:
        model = SeriesNote
        fields = ("time", "text")


class BaselineSerializer(serializers.Serializer[None]):
    """What is usual, frozen from the history."""

    n_history = serializers.IntegerField()
    mean = serializers.FloatField()
    deviation = serializers.FloatField()
    threshold = serializers.FloatField(help_text="In deviations.")
    horizon = serializers.IntegerField()
    rate = serializers.FloatField(help_text="The chance of a false alarm in a horizon.")
    n_draws = serializers.IntegerField()
    autocorrelation = serializers.FloatField()


class SeriesStateSerializer(serializers.Serializer[Overview]):
    """How a series stands."""

    id = serializers.IntegerField(source="series.pk")
    name = serializers.CharField(source="series.name")
    state = serializers.ChoiceField(
        ["alert", "usual", "history"], help_text="history: what is usual is not known yet; nothing is watched."
    )
    words = serializers.ListField(child=serializers.CharField(), help_text="The state first, then what it rests on.")
    n_points = serializers.IntegerField()
    n_missed = serializers.IntegerField(help_text="Moments of the schedule without a point.")
    last = SeriesPointSerializer(allow_null=True)
    next_due = serializers.DateTimeField(source="series.next_due", allow_null=True)
    ended_at = serializers.DateTimeField(source="series.ended_at", allow_null=True)
    baseline = BaselineSerializer(source="series.baseline", allow_null=True)
    alerts = SeriesAlertSerializer(many=True, help_text="The newest first.")
    notes = SeriesNoteSerializer(many=True)


class SeriesJobSerializer(serializers.Serializer[None]):
    """The job that measures a series."""

    name = serializers.CharField()
    job_url = serializers.URLField()
