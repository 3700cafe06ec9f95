"""Forms about batches. What they may choose from (pools, topics, annotators) is handed in."""

from copy import copy
from dataclasses import fields
from typing import Any

from django import forms
from django.db.models import QuerySet

from annotation.batches.forms.overlap import OverlapFields
from annotation.batches.steps.batches import BatchSettings
from annotation.kernel.forms import ALL, LISTED, listed_numbers
from annotation.models import Annotator, Batch, Collection, InformationVersion, Pool, Qualification, Topic

SHARES = ("gold_share", "check_share", "repeat_share")
MOST_PLANTED = 60.0  # percent
NAME_TAKEN = "The collection already has a batch of this name."
SETTINGS = tuple(field.name for field in fields(BatchSettings))


class PeopleField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Annotators by pseudonym, with the name that an admin knows them by."""

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.pseudonym} ({obj.user.username})" if obj.user else str(obj.pseudonym)


def everybody_field() -> forms.BooleanField:
    return forms.BooleanField(
        required=False,
        label="Everybody",
        help_text="All annotators whom the collection has now, whoever is ticked below.",
    )


def offer(form: forms.Form, name: str, rows: "QuerySet[Any]", *, by: str = "pk") -> None:
    """Let a field of the form choose among these rows, which are named by this column."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset, field.to_field_name = rows, by


class BatchForm(OverlapFields):
    """`collection` and `policies` are handed on to `OverlapFields`."""

    field_order = (
        "name", "pool", "topics", "numbers", "everybody", "annotators", "judgments_per_item",
        "steered_by", "most_judgments", "target_probability",
    )  # fmt: skip

    name = forms.CharField(max_length=100)
    pool = forms.ModelChoiceField(Pool.objects.none(), empty_label="Choose a pool")
    topics = forms.ChoiceField(
        choices=[(ALL, "All topics of the pool"), (LISTED, "These topics")], initial=ALL, widget=forms.RadioSelect
    )
    numbers = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Topic numbers",
        help_text="Separated by blanks or line ends; for “These topics”.",
    )
    everybody = everybody_field()
    annotators = PeopleField(
        Annotator.objects.none(), required=False, label="Participants", help_text="More can be assigned later."
    )
    judgments_per_item = forms.IntegerField(
        min_value=1, max_value=15, initial=3, label="Judgments per pair", help_text="By as many different people."
    )
    gold_share = forms.FloatField(
        min_value=0,
        initial=12,
        max_value=50,
        label="Gold share (%)",
        help_text="Of all cards a person sees; 10 to 15 % is sensible.",
    )
    check_share = forms.FloatField(
        min_value=0,
        initial=0,
        max_value=20,
        label="Attention checks (%)",
        help_text="Documents of a distant topic: only careless people call them relevant. 2 to 4 % is enough.",
    )
    repeat_share = forms.FloatField(
        min_value=0,
        initial=0,
        max_value=20,
        label="Repeats (%)",
        help_text="Pairs that the same person gets again, in a later block of their topic. 2 to 4 % is enough.",
    )
    opening_cards = forms.IntegerField(
        min_value=0,
        max_value=9,
        initial=3,
        label="Opening cards",
        help_text=(
            "Each topic opens with so many pairs from different heights of its pool (3: top, middle, bottom), so that "
            "the first cards span the scale. 0: as they come."
        ),
    )
    minimum_seconds = forms.IntegerField(
        min_value=0,
        max_value=600,
        initial=10,
        label="Minimum time (seconds)",
        help_text="The page holds a grade until so much time has passed.",
    )
    nudge_minutes = forms.IntegerField(
        min_value=0,
        max_value=480,
        initial=25,
        label="Nudge after (minutes)",
        help_text="The page then suggests a short rest, once a session; judging goes on. 0: never.",
    )
    session_minutes = forms.IntegerField(
        min_value=5,
        max_value=480,
        initial=50,
        label="Session (minutes)",
        help_text="After it there are no new cards until the break is over.",
    )
    break_minutes = forms.IntegerField(min_value=0, max_value=480, initial=10, label="Break after it (minutes)")
    feedback = forms.ChoiceField(
        choices=Batch.Feedback.choices,
        initial=Batch.Feedback.NEVER,
        label="Results on gold",
        help_text=(
            "When annotators are shown how they did, pair by pair, with the explanations of gold. What they were shown "
            "they cannot revise. With a delay, people who talk may pass answers on to those who still judge."
        ),
    )
    feedback_hours = forms.IntegerField(
        min_value=1, max_value=2160, initial=24, label="Results after (hours)", help_text="For the delayed kind."
    )
    information = forms.ModelChoiceField(
        InformationVersion.objects.none(),
        required=False,
        empty_label="None",
        label="Consent text",
        help_text="What people read and agree to before their first card.",
    )
    qualification = forms.ModelChoiceField(
        Qualification.objects.none(),
        required=False,
        empty_label="None",
        label="Qualification round",
        help_text="What people pass before their first card. Its pairs are left out of the batch.",
    )
    block_size = forms.IntegerField(
        min_value=15,  # in shorter ones the place of a card would tell a little of what it is (docs/decisions/0014)
        max_value=500,
        initial=25,
        label="Block size",
        help_text="Pairs of a topic in a row, 15 or more; longer topics come back in several blocks.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**62,
        help_text="The layout follows from this number: the same seed and material give the same layout.",
    )

    def __init__(
        self,
        *args: Any,
        collection: Collection,
        topics: QuerySet[Topic],
        annotators: QuerySet[Annotator],
        batch: Batch | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, collection=collection, **kwargs)
        self.collection, self.batch, self._topics = collection, batch, topics
        pools = Pool.objects.filter(Pool.VISIBLE, collection=collection).order_by("-created_at")
        offer(self, "pool", pools)
        offer(self, "annotators", annotators.select_related("user"))
        offer(self, "information", InformationVersion.objects.filter(collection=collection).order_by("-number"))
        offer(self, "qualification", Qualification.objects.filter(collection=collection).order_by("name"))
        if not pools:
            self.fields["pool"].help_text = "There is none yet: make a pool first."
        if not annotators:
            self.fields["annotators"].help_text = "Nobody is here yet. Invite annotators; they can be assigned later."

    def settings(self) -> BatchSettings:
        """What was chosen, without the topics and the annotators. Of a valid form."""
        return BatchSettings(**{name: self.cleaned_data[name] for name in SETTINGS})

    def clean_qualification(self) -> Qualification | None:
        chosen: Qualification | None = self.cleaned_data["qualification"]
        scale = self.collection.scale
        if chosen is not None and scale is not None and len(chosen.scale.grades) != len(scale.grades):
            raise forms.ValidationError("This round is on a scale with another number of grades.")
        return chosen

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = Batch.objects.filter(collection=self.collection, name=name)
        if self.batch:
            others = others.exclude(pk=self.batch.pk)
        if others.exists():
            raise forms.ValidationError(NAME_TAKEN, code="taken")
        return name

    def clean(self) -> None:
        """`topics` becomes the topics; shares become parts of 1."""
        super().clean()
        self.clean_overlap()
        if self.cleaned_data.get("everybody"):
            self.cleaned_data["annotators"] = _all_of(self)
        if sum(self.cleaned_data.get(name) or 0 for name in SHARES) > MOST_PLANTED:
            self.add_error("gold_share", f"Gold, checks and repeats together may be at most {MOST_PLANTED:.0f} %.")
        for name in SHARES:
            if self.cleaned_data.get(name) is not None:
                self.cleaned_data[name] = self.cleaned_data[name] / 100
        if self.cleaned_data.get("pool") and self.cleaned_data.get("topics"):
            self._clean_topics(self.cleaned_data["pool"])

    def _clean_topics(self, pool: Pool) -> None:
        in_pool = self._topics.filter(pk__in=pool.pairs.values("topic"))
        numbers = listed_numbers(self)
        if numbers is None:
            self.cleaned_data["topics"] = list(in_pool)
            return
        topics = {topic.number: topic for topic in in_pool.filter(number__in=numbers)}
        if unknown := [number for number in numbers if number not in topics]:
            more = f" and {len(unknown) - 10} more" if len(unknown) > 10 else ""
            self.add_error("numbers", f"Not in this pool: {', '.join(unknown[:10])}{more}.")
        self.cleaned_data["topics"] = [topics[number] for number in numbers if number in topics]


class FeedbackForm(forms.Form):
    """When people are told how they did, of a batch that is laid out."""

    feedback = copy(BatchForm.base_fields["feedback"])
    feedback_hours = copy(BatchForm.base_fields["feedback_hours"])


class BatchStepForm(forms.Form):
    """Which step of its life a batch is to take."""

    step = forms.ChoiceField(choices=[(step, step) for step in ("open", "pause", "reopen", "close")])


def _all_of(form: forms.Form) -> "QuerySet[Annotator]":
    """Everybody whom the field of annotators offers."""
    field = form.fields["annotators"]
    assert isinstance(field, PeopleField)
    assert field.queryset is not None
    return field.queryset


class AssignForm(forms.Form):
    everybody = everybody_field()
    annotators = PeopleField(Annotator.objects.none(), required=False)

    def __init__(self, *args: Any, annotators: QuerySet[Annotator], by: str = "pk", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "annotators", annotators.select_related("user"), by=by)

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("everybody"):
            self.cleaned_data["annotators"] = _all_of(self)
        elif not self.errors and not self.cleaned_data.get("annotators"):
            self.add_error("annotators", "Choose at least one annotator, or everybody.")


class UnassignForm(forms.Form):
    annotator = forms.ModelChoiceField(Annotator.objects.none(), widget=forms.HiddenInput)

    def __init__(self, *args: Any, annotators: QuerySet[Annotator], by: str = "pk", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "annotator", annotators, by=by)


class ReplaceForm(forms.Form):
    """How many slots were proposed to the admin who confirms."""

    n = forms.IntegerField(min_value=1)
