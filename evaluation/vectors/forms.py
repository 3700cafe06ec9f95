"""Which vectors are searched, compared and described, and how; which judgments colour a map."""

from typing import Any

from django import forms

from annotation.corpus.read.texts import current_topic_versions
from annotation.kernel.forms import PlainText, set_choices
from annotation.models import Collection, Snapshot
from evaluation.engine.conclusions import CORRECTION_WORDS, TEST_WORDS
from evaluation.engine.reference.comparison import DESIGN, PLAN, SEED
from evaluation.engine.significance.all_pairs import TESTS
from evaluation.models import VectorSet
from evaluation.runs.read import problem_of_tag
from evaluation.vectors.read import models_beside, models_in, searchable_models
from evaluation.vectors.steps.searching import DEPTH

MOST_MODELS, MOST_K = 8, 1000
MOST_LINES = 1_000_000  # characters of pairs and classes
SIMILARITIES = [("", "what the vectors are meant for"), *VectorSet.Similarity.choices]


def _lines(**options: Any) -> PlainText:
    """Something a line, or nothing; a line keeps its number."""
    widget = forms.Textarea(attrs={"rows": 3})
    return PlainText(required=False, strip=False, max_length=MOST_LINES, widget=widget, **options)


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
        choices=SIMILARITIES,
        required=False,
        help_text="How near two vectors are. Of a distance, the nearest are first.",
    )
    depth = forms.IntegerField(
        min_value=1, max_value=100_000, initial=DEPTH, help_text="So many documents are found for each topic."
    )
    sample = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=1_000_000,
        label="Queries",
        help_text="So many are drawn at random. Empty: all are searched.",
    )
    seed = forms.IntegerField(
        required=False, min_value=0, max_value=2**63 - 1, initial=SEED, help_text="Of the queries drawn."
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
        if problem := problem_of_tag(self.collection, tag):
            raise forms.ValidationError(problem)
        return tag

    def clean_seed(self) -> int:
        seed: int | None = self.cleaned_data["seed"]
        return SEED if seed is None else seed


class ModelComparisonForm(forms.Form):
    """Models beside a reference, and how they are compared; what is left as it stands is what the command takes."""

    reference = forms.ChoiceField(help_text="The dear model: its nearest documents take the place of judgments.")
    models = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple, label="Beside it", help_text="Models that may stand in for it."
    )
    documents_alone = forms.BooleanField(
        required=False,
        label="Documents are the queries",
        help_text="Each document is searched for its nearest others; otherwise the queries are searched.",
    )
    similarity = forms.ChoiceField(choices=SIMILARITIES, required=False, help_text="Of all models.")
    queries = forms.IntegerField(
        min_value=1, max_value=10_000, initial=PLAN.n_queries, label="Queries", help_text="So many are drawn."
    )
    k = forms.CharField(
        max_length=100, initial=" ".join(map(str, PLAN.cutoffs)), label="Cutoffs k", help_text="Blanks between them."
    )
    documents = forms.IntegerField(
        min_value=3,
        max_value=10_000,
        initial=PLAN.n_documents,
        label="Documents",
        help_text="So many are drawn, whose similarities to each query are compared.",
    )
    test = forms.ChoiceField(
        choices=[(test, words) for test, words in TEST_WORDS.items() if test in TESTS], initial=DESIGN.test
    )
    correction = forms.ChoiceField(
        choices=[(name, words.removesuffix("'s correction")) for name, words in CORRECTION_WORDS.items()],
        initial=DESIGN.correction,
        help_text="Of p, over the pairs of models.",
    )
    pairs = _lines(
        label="Target similarities",
        help_text="Instead of a reference: two ids and the similarity that they should have, a pair a line.",
    )
    seed = forms.IntegerField(min_value=0, max_value=2**63 - 1, initial=SEED, help_text="Of all that is drawn.")

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(name, name) for name in models_in(collection)]
        set_choices(self, "reference", choices)
        set_choices(self, "models", choices)

    def clean_models(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["models"]
        if self.cleaned_data.get("reference") in chosen:
            raise forms.ValidationError("The reference is not compared with itself.")
        if len(chosen) > MOST_MODELS:
            raise forms.ValidationError(f"At most {MOST_MODELS} models can be told apart on one page.")
        return chosen

    def clean_k(self) -> list[int]:
        words = self.cleaned_data["k"].split()
        if not words or not all(word.isascii() and word.isdigit() and 0 < int(word) <= MOST_K for word in words):
            raise forms.ValidationError(f"Cutoffs are whole numbers from 1 to {MOST_K}, with blanks between them.")
        return sorted({int(word) for word in words})


class SpaceForm(forms.Form):
    """What a description of a space rests on beside the vectors."""

    snapshot = forms.ModelChoiceField(
        Snapshot.objects.none(),
        to_field_name="name",
        required=False,
        empty_label="no judgments",
        help_text="For the alignment of queries with their relevant documents, and the colours of the map.",
    )
    pairs = _lines(
        label="Pairs that belong together",
        help_text="For the alignment instead: two ids a line.",
    )
    classes = _lines(
        help_text="Or an id and its class a line: all pairs within, of the first 200 of each.",
    )
    against = forms.ChoiceField(
        required=False,
        label="Beside another model",
        help_text="How many nearest neighbours both share, and the linear CKA, over the texts that both have.",
    )

    def __init__(self, *args: Any, vectors: VectorSet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        snapshots = Snapshot.objects.filter(collection=vectors.collection_id).order_by("-id")
        self.fields["snapshot"].queryset = snapshots  # type: ignore[attr-defined]
        set_choices(self, "against", [("", "none"), *((name, name) for name in models_beside(vectors))])

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("pairs", "").strip() and data.get("classes", "").strip():
            self.add_error("classes", "Give pairs or classes, not both.")
        return data


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
