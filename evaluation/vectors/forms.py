"""Which vectors are searched, and how; which judgments colour a map."""

from typing import Any

from django import forms

from annotation.corpus.read.texts import current_topic_versions
from annotation.kernel.forms import set_choices
from annotation.models import Collection, Snapshot
from evaluation.models import Run, VectorSet
from evaluation.vectors.read import searchable_models
from evaluation.vectors.steps.searching import DEPTH


class VectorSearchForm(forms.Form):
    """An exact search with the vectors of a model, and what the run is called."""

    model = forms.ChoiceField(help_text="Those with vectors of queries and of documents, of the same dimensions.")
    tag = forms.RegexField(
        r"\A\S+\Z",
        max_length=100,
        help_text="What the new run is called.",
        error_messages={"invalid": "A tag has no white space."},
    )
    similarity = forms.ChoiceField(
        choices=[("", "what the vectors are meant for"), *VectorSet.Similarity.choices],
        required=False,
        help_text="How near two vectors are. Of a distance, the nearest are first.",
    )
    depth = forms.IntegerField(
        min_value=1, max_value=100_000, initial=DEPTH, help_text="So many documents are found for each topic."
    )
    exclude_self = forms.BooleanField(
        required=False,
        label="Leave out the document that has the topic’s number",
        help_text="Where queries are documents themselves.",
    )

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection
        set_choices(self, "model", [(name, name) for name in searchable_models(collection)])

    def clean_tag(self) -> str:
        tag: str = self.cleaned_data["tag"]
        if Run.objects.filter(collection=self.collection, tag=tag).exists():
            raise forms.ValidationError(f"The collection already has a run with the tag {tag}.")
        return tag


class SpaceForm(forms.Form):
    """What a description of a space rests on beside the vectors."""

    snapshot = forms.ModelChoiceField(
        Snapshot.objects.none(),
        to_field_name="name",
        required=False,
        empty_label="no judgments",
        help_text="For the alignment of queries with their relevant documents, and the colours of the map.",
    )

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        snapshots = Snapshot.objects.filter(collection=collection).order_by("-id")
        self.fields["snapshot"].queryset = snapshots  # type: ignore[attr-defined]


MOST_LISTED = 500  # topics to choose from; of more the number is written


class ColourForm(forms.Form):
    """By whose grades the map is coloured."""

    snapshot = forms.ModelChoiceField(Snapshot.objects.none(), to_field_name="name", empty_label=None)
    topic = forms.CharField(max_length=100, label="Topic number")

    def __init__(self, data: object, *, collection: Collection) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        snapshots = Snapshot.objects.filter(collection=collection).order_by("-id")
        self.fields["snapshot"].queryset = snapshots  # type: ignore[attr-defined]
        topics = current_topic_versions(collection)[: MOST_LISTED + 1].values_list("topic__number", "title")
        if 0 < len(topics) <= MOST_LISTED:
            choices = [(number, f"{number} {title}"[:80]) for number, title in topics]
            self.fields["topic"] = forms.ChoiceField(choices=choices, label="Topic")
