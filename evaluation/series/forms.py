"""What a person may say of a series: by its kind only the fields that go with it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import forms
from django.utils import timezone

from annotation.formats.outside.times import EARLIEST, LATEST
from annotation.kernel.forms import PlainText, set_choices
from annotation.models import Collection
from evaluation.engine.drift.rule import HORIZON, MOST_HISTORY, MOST_HORIZON, check_rule
from evaluation.engine.drift.watch import GREATEST, LEAST_HISTORY, RATE
from evaluation.engine.measures import parse_measure
from evaluation.models import Series, VectorSet
from evaluation.series.read.series import series_named
from evaluation.series.steps.files import MOST_BYTES, PACKED
from evaluation.series.steps.measuring import KINDS
from evaluation.series.steps.measuring.names import LOG_NAMES, SPACE_NAMES, VECTOR_NAMES
from evaluation.series.steps.points import NewPoint

USUAL_HISTORY = 30
OF_KINDS = tuple(dict.fromkeys(name for kind in KINDS.values() for name in kind.fields))
RULE_NUMBERS = ("n_history", "rate", "horizon", "block")
RULE_FIELDS = ("rule", "bad", *RULE_NUMBERS, "low", "high")
SCHEDULE_FIELDS = ("schedule", "hour", "zone")
_BEGINS = "Ending with *: the newest whose name begins so."


def _number(title: str, help_text: str = "") -> forms.FloatField:
    field = forms.FloatField(required=False, label=title, help_text=help_text, min_value=-GREATEST, max_value=GREATEST)
    field.widget.attrs["step"] = "any"
    return field


def _named(choices: Mapping[str, str]) -> list[tuple[str, str]]:
    return [("", "–"), *((value, name[0].upper() + name[1:]) for value, name in choices.items())]


def _chosen(title: str, choices: Mapping[str, str], help_text: str = "") -> forms.ChoiceField:
    return forms.ChoiceField(choices=_named(choices), required=False, label=title, help_text=help_text)


def _whole(title: str, help_text: str, *, least: int, most: int, initial: int | None) -> forms.IntegerField:
    return forms.IntegerField(
        required=False, label=title, help_text=help_text, min_value=least, max_value=most, initial=initial
    )


class WatchForm(forms.Form):
    """How a series is called and watched: its rule and its schedule. Columns of its row are in `columns`."""

    name = forms.CharField(max_length=100)
    description = PlainText(
        required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2}), help_text="What it is watched for."
    )
    bad = forms.ChoiceField(choices=Series.Bad.choices, initial=Series.Bad.DOWN, label="Bad is")
    rule = forms.ChoiceField(choices=Series.Rule.choices, initial=Series.Rule.CUSUM)
    n_history = _whole(
        "Points of history",
        "The first ones, in which nothing is taken to have changed.",
        least=LEAST_HISTORY,
        most=MOST_HISTORY,
        initial=USUAL_HISTORY,
    )
    rate = forms.FloatField(
        required=False, label="False alarms", initial=RATE, help_text="The chance of one in a horizon without a change."
    )
    horizon = _whole("Horizon", "New points in which that is the chance.", least=1, most=MOST_HORIZON, initial=HORIZON)
    block = _whole(
        "Block", "Points in a row that follow each other; 1 where they do not.", least=1, most=500, initial=1
    )
    low = _number("Lowest", "For limits: below is an alert.")
    high = _number("Highest", "For limits: above is an alert.")
    schedule = forms.ChoiceField(
        choices=Series.Schedule.choices, required=False, help_text="Kept by the worker. Moments that pass are missed."
    )
    hour = _whole("At hour", "0 to 23, of the time zone.", least=0, most=23, initial=2)
    zone = forms.CharField(max_length=64, initial="UTC", required=False, label="Time zone", help_text="Europe/Vienna …")

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection

    @property
    def what(self) -> list[forms.BoundField]:
        return [self[name] for name in ("name", "description")]

    @property
    def how(self) -> list[forms.BoundField]:
        return [self[name] for name in RULE_FIELDS]

    @property
    def when(self) -> list[forms.BoundField]:
        return [self[name] for name in SCHEDULE_FIELDS]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if series_named(self.collection, name):
            raise forms.ValidationError("The collection already has a series of this name.", code="taken")
        return name

    def clean_zone(self) -> str:
        name: str = self.cleaned_data["zone"] or "UTC"
        try:
            return ZoneInfo(name).key
        except (ZoneInfoNotFoundError, ValueError, OSError) as reason:
            raise forms.ValidationError(f"There is no time zone {name}.") from reason

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("rule") == Series.Rule.LIMITS:
            self._clean_limits()
        else:
            self._clean_rule()

    def _clean_limits(self) -> None:
        low, high = self.cleaned_data.get("low"), self.cleaned_data.get("high")
        if low is None and high is None and not {"low", "high"} & self.errors.keys():
            self.add_error("low", "Name a limit, or two.")
        elif low is not None and high is not None and low >= high:
            self.add_error("high", "The highest is above the lowest.")

    def _clean_rule(self) -> None:
        entered = self.cleaned_data
        if entered.get("low") is not None or entered.get("high") is not None:
            self.add_error("rule", "Lowest and highest go with limits alone.")
        for name, usual in (("n_history", USUAL_HISTORY), ("rate", RATE), ("horizon", HORIZON), ("block", 1)):
            entered[name] = usual if entered.get(name) is None else entered[name]
        if not {"n_history", "rate", "horizon", "block"} & self.errors.keys():
            try:
                check_rule(
                    entered["n_history"], horizon=entered["horizon"], rate=entered["rate"], block=entered["block"]
                )
            except ValueError as reason:
                self.add_error("rule", f"{reason}.")

    def columns(self) -> dict[str, Any]:
        """Once it is valid: those of the row. Limits say themselves which direction is bad."""
        entered = self.cleaned_data
        columns = {name: entered[name] for name in ("name", "description", "rule", "low", "high", "schedule", "zone")}
        columns["hour"] = 2 if entered["hour"] is None else entered["hour"]
        if entered["rule"] == Series.Rule.LIMITS:
            low, high = entered["low"], entered["high"]
            bad = Series.Bad.EITHER if None not in (low, high) else Series.Bad.DOWN if high is None else Series.Bad.UP
            return {**columns, "bad": bad}
        return columns | {name: entered[name] for name in ("bad", "n_history", "rate", "horizon", "block")}


class SeriesForm(WatchForm):
    """A new series: what is measured, too."""

    kind = forms.ChoiceField(choices=Series.Kind.choices, initial=Series.Kind.OUTSIDE, label="What is measured")
    run = forms.CharField(required=False, max_length=100, help_text=f"Its tag. {_BEGINS}")
    snapshot = forms.CharField(required=False, max_length=100, help_text="Its name. Empty: the newest.")
    measure = forms.CharField(required=False, max_length=100, help_text="nDCG@10, AP(rel=2), RR …")
    days = _whole("Of the last days", "Empty: of all judgments so far.", least=1, most=3660, initial=None)
    side = _chosen("Vectors of the", dict(VectorSet.Side.choices))
    reference = forms.CharField(required=False, max_length=100, help_text="The model whose vectors are usual.")
    model = forms.CharField(required=False, max_length=100, help_text=f"The model that is watched. {_BEGINS}")
    figure = _chosen("Figure", VECTOR_NAMES | SPACE_NAMES)
    statistic = _chosen("Figure", LOG_NAMES, "Of the query log that came in last.")
    field_order = ("name", "description", "kind", *OF_KINDS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind = str(self.data.get("kind") or self.initial.get("kind") or Series.Kind.OUTSIDE)
        self.wanted = KINDS[kind].fields if kind in KINDS else ()
        for name in set(OF_KINDS) - set(self.wanted):
            del self.fields[name]
        if "figure" in self.fields:
            figures = SPACE_NAMES if kind == Series.Kind.SPACE else VECTOR_NAMES
            set_choices(self, "figure", _named(figures))

    @property
    def what(self) -> list[forms.BoundField]:
        return [*super().what, *(self[name] for name in self.wanted)]

    def clean_measure(self) -> str:
        name: str = self.cleaned_data["measure"]
        try:
            return str(parse_measure(name)) if name else ""
        except ValueError as reason:
            raise forms.ValidationError(str(reason)) from reason

    def clean(self) -> None:
        super().clean()
        entered = self.cleaned_data
        for name in sorted({name for name in OF_KINDS if self.data.get(name)} - set(self.wanted)):
            self.add_error(None, f"What is measured has no {name}.")
        optional = KINDS[entered["kind"]].optional if entered.get("kind") in KINDS else ()
        for name in self.wanted:
            if name not in optional and not self.errors.get(name) and not entered.get(name):
                self.add_error(name, "This field is required.")

    def columns(self) -> dict[str, Any]:
        entered = self.cleaned_data
        of = {name: entered[name] for name in self.wanted if entered[name] not in (None, "")}
        return {**super().columns(), "kind": entered["kind"], "of": of}


class SeriesEditForm(WatchForm):
    """Another name, rule or schedule; what is measured stays. Another rule that is named begins with its usual numbers,
    where a program names no others."""

    def __init__(self, *args: Any, series: Series, **kwargs: Any) -> None:
        self.series = series
        initial = {name: getattr(series, name) for name in WatchForm.base_fields}
        if series.rule == Series.Rule.LIMITS:
            initial |= {name: WatchForm.base_fields[name].initial for name in RULE_NUMBERS}
        super().__init__(*args, collection=series.collection, initial=initial, **kwargs)

    @classmethod
    def with_entries(cls, series: Series, entered: Mapping[str, Any]) -> "SeriesEditForm":
        """What is not entered stays as it is."""
        stays = {name: value for name, value in cls(series=series).initial.items() if value is not None}
        if "rule" in entered:
            stays = {name: value for name, value in stays.items() if name not in RULE_FIELDS}
            stays["bad"] = series.bad
        return cls({**stays, **entered}, series=series)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        return name if name == self.series.name else super().clean_name()


def _moment(help_text: str) -> forms.DateTimeField:
    return forms.DateTimeField(required=False, help_text=help_text, validators=[_check_year])


def _check_year(time: datetime) -> None:
    if not EARLIEST <= time.year < LATEST:
        raise forms.ValidationError(f"A time lies between {EARLIEST} and {LATEST}.")


class PointForm(forms.Form):
    time = _moment("2026-11-28 02:00, on a page in your time zone, by API in UTC. Empty: now.")
    value = forms.FloatField(min_value=-GREATEST, max_value=GREATEST)
    low = _number("Lower end", "Of its interval, if it has one.")
    high = _number("Upper end")
    rests_on = forms.CharField(required=False, max_length=500, help_text="What was measured: a version, a hash.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["value"].widget.attrs["step"] = "any"

    def clean(self) -> None:
        super().clean()
        entered = self.cleaned_data
        ends = [entered[name] for name in ("low", "value", "high") if entered.get(name) is not None]
        if ends != sorted(ends):
            self.add_error("value", "The value lies outside of its interval.")

    def point(self) -> NewPoint:
        entered = self.cleaned_data
        time: datetime = entered["time"] or timezone.now()
        return NewPoint(time, entered["value"], entered["low"], entered["high"], entered["rests_on"])


class PointsFileForm(forms.Form):
    """Plain text alone is read in a web process: neither gzip nor Parquet, which can unfold without end."""

    file = forms.FileField(
        help_text="CSV, TSV or JSONL of at most 2 MiB: time and value, and low and high if there are any. Larger ones "
        "and other forms come by the command."
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        head = file.read(4)
        file.seek(0)
        if file.size > MOST_BYTES or head.startswith(PACKED):
            raise forms.ValidationError("A plain file of at most 2 MiB; others come by `series import`.")
        return file


class SeriesNoteForm(forms.Form):
    time = _moment("Which moment it is about, on a page in your time zone, by API in UTC. Empty: now.")
    text = PlainText(max_length=1000, widget=forms.Textarea(attrs={"rows": 2}))

    def clean_time(self) -> datetime:
        return self.cleaned_data["time"] or timezone.now()


class CloseForm(forms.Form):
    note = PlainText(max_length=2000, widget=forms.Textarea(attrs={"rows": 2}), help_text="What it was. It stays.")
    anew = forms.BooleanField(
        required=False,
        label="The new level is usual from now on",
        help_text="A new history is gathered from where the change began.",
    )
