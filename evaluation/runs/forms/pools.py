"""The form of a pool from runs."""

from typing import Any

from django import forms
from django.db.models import QuerySet

from annotation.formats.fields import split_blanks
from annotation.models import Collection, Pool
from evaluation.models import Run

ALL, LISTED = "all", "listed"


class CountForm(forms.Form):
    """What decides the pairs of a pool. `numbers` are the chosen topics once it is valid."""

    runs = forms.ModelMultipleChoiceField(Run.objects.none(), widget=forms.CheckboxSelectMultiple)
    depth = forms.IntegerField(
        min_value=1,
        max_value=10_000,
        initial=10,
        help_text="So many documents from the top of each run, for each topic.",
    )
    topics = forms.ChoiceField(
        choices=[(ALL, "All topics of the collection"), (LISTED, "These topics")],
        initial=ALL,
        widget=forms.RadioSelect,
    )
    numbers = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Topic numbers",
        help_text="Separated by blanks or line ends; for “These topics”.",
    )

    def __init__(self, *args: Any, runs: QuerySet[Run], known: set[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = known
        field = self.fields["runs"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = runs

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("topics") == ALL:
            if self.cleaned_data.get("numbers"):
                self.add_error("numbers", "Choose “These topics” above, or leave this empty.")
            self.cleaned_data["numbers"] = sorted(self.known)
            if not self.known:
                self.add_error("topics", "The collection has no topics yet.")
            return
        numbers = list(dict.fromkeys(split_blanks(self.cleaned_data.get("numbers", ""))))
        unknown = [number for number in numbers if number not in self.known]
        if not numbers:
            self.add_error("numbers", "List at least one topic, or choose all.")
        elif unknown:
            more = f" and {len(unknown) - 10} more" if len(unknown) > 10 else ""
            self.add_error("numbers", f"Not in the collection: {', '.join(unknown[:10])}{more}.")
        self.cleaned_data["numbers"] = numbers


class PoolForm(CountForm):
    name = forms.CharField(max_length=100)
    field_order = ["name", "runs", "depth", "topics", "numbers"]

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Pool.objects.filter(collection=self.collection, name=name).exists():
            raise forms.ValidationError("The collection already has a pool of this name.")
        return name
