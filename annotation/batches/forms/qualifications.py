"""Forms of qualification rounds."""

from typing import Any

from django import forms
from django.db.models import QuerySet

from annotation.batches.forms.batches import offer
from annotation.kernel.forms import PlainText, named_grades
from annotation.models import Collection, DocumentVersion, GoldEvent, Qualification, ScaleVersion, TopicVersion

LONGEST_TEXT = 5000  # characters
NAME_TAKEN = "The collection already has a round of this name."


class QualificationForm(forms.Form):
    name = forms.CharField(max_length=100)
    pass_mark = forms.FloatField(
        min_value=0, max_value=100, initial=70, label="Pass mark (%)", help_text="Of the first answers, so many right."
    )
    most_attempts = forms.IntegerField(
        min_value=0, max_value=100, initial=2, label="Tries", help_text="How often a person may try; 0: without end."
    )

    def __init__(
        self, *args: Any, collection: Collection, qualification: Qualification | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.collection, self.qualification = collection, qualification

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = Qualification.objects.filter(collection=self.collection, name=name)
        if self.qualification:
            others = others.exclude(pk=self.qualification.pk)
        if others.exists():
            raise forms.ValidationError(NAME_TAKEN, code="taken")
        return name

    def clean_pass_mark(self) -> float:
        return float(self.cleaned_data["pass_mark"]) / 100


class TaughtForm(forms.Form):
    """What a pair of a round teaches: the grades that are right, and what is said before and after the answer."""

    accepted = forms.TypedMultipleChoiceField(
        coerce=int, widget=forms.CheckboxSelectMultiple, label="Right grades", help_text="One or more."
    )
    hint = PlainText(
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Shown with the pair: what to look for.",
    )
    explanation = PlainText(
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Shown after the answer: why this grade and no other.",
    )

    def __init__(self, *args: Any, scale: ScaleVersion, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["accepted"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = named_grades(scale)


class PairForm(TaughtForm):
    """A pair for the round, by topic number and docno; `clean` puts their current texts in place of the words."""

    number = forms.CharField(max_length=200, label="Topic number")
    docno = forms.CharField(max_length=1000)
    field_order = ["number", "docno", "accepted", "hint", "explanation"]

    def __init__(
        self, *args: Any, topics: QuerySet[TopicVersion], documents: QuerySet[DocumentVersion], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._topics, self._documents = topics, documents

    def clean(self) -> None:
        super().clean()
        number, docno = self.cleaned_data.pop("number", None), self.cleaned_data.pop("docno", None)
        topic = self._topics.filter(topic__number=number).first()
        document = self._documents.filter(document__docno=docno).first()
        if number and topic is None:
            self.add_error("number", "The collection has no topic of this number with a text.")
        if docno and document is None:
            self.add_error("docno", "The collection has no document of this docno with a text.")
        self.cleaned_data["topic"], self.cleaned_data["document"] = topic, document


class GoldChoiceForm(forms.Form):
    """Pairs that are gold, for a round."""

    pairs = forms.ModelMultipleChoiceField(
        GoldEvent.objects.none(), error_messages={"required": "Choose at least one pair."}
    )

    def __init__(self, *args: Any, events: QuerySet[GoldEvent], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "pairs", events)


class QualificationStepForm(forms.Form):
    step = forms.ChoiceField(choices=[(step, step) for step in ("open", "close", "redraft")])


class MoveForm(forms.Form):
    step = forms.ChoiceField(choices=[("up", "up"), ("down", "down")])
