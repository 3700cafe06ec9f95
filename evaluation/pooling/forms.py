"""Forms about what to judge next, and about pools that grow."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms

from annotation.corpus.read.document_counts import kept_documents
from annotation.corpus.read.texts import topics_with_text
from annotation.formats.fields import split_blanks
from annotation.kernel.forms import free_pool_name, set_choices
from annotation.models import Collection, Pool, Snapshot
from evaluation.engine.adaptive.methods import METHODS
from evaluation.engine.judge_next import BEST, DEPTH, MOST_RUNS, PAIRS
from evaluation.engine.measures import parse_measure
from evaluation.engine.without_runs import ALL, BM25, PER_TOPIC, SAMPLE, WAYS, Recipe
from evaluation.models import Run
from evaluation.pooling.read import GROWING, Growth, NextPairs
from evaluation.pooling.steps.replaying import ReplayAsked
from evaluation.pooling.steps.without_runs import TooManyPairsError, require_storable
from evaluation.runs.read import not_in_collection

MEASURE, MOST_PAIRS, MOST_DEPTH = "nDCG@10", 5000, 1000
SEEDS, MOST_SEEDS = 20, 200  # draws of a replay


def _parsed(measure: str) -> str:
    try:
        return str(parse_measure(measure))
    except ValueError as reason:
        raise forms.ValidationError(str(reason)) from reason


class NextForm(forms.Form):
    """Two runs to separate, or the best ones to put in order."""

    snapshot = forms.ModelChoiceField(Snapshot.objects.none(), to_field_name="name", empty_label=None)
    measure = forms.CharField(max_length=100, initial=MEASURE, help_text="nDCG@10, AP(rel=2), RR …")
    first = forms.ChoiceField(required=False, label="Run", help_text="Two runs to separate, or none.")
    second = forms.ChoiceField(required=False, label="and run")
    best = forms.IntegerField(
        min_value=2,
        max_value=MOST_RUNS,
        initial=BEST,
        label="Else the best",
        help_text="So many runs of all, by the measure, to be put in order.",
    )
    depth = forms.IntegerField(min_value=1, max_value=MOST_DEPTH, initial=DEPTH, help_text="Documents of each topic.")
    pairs = forms.IntegerField(min_value=1, max_value=MOST_PAIRS, initial=PAIRS, help_text="So many are listed.")

    def __init__(self, data: object, *, collection: Collection) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.collection = collection
        snapshots = Snapshot.objects.filter(collection=collection).select_related("collection", "scale").order_by("-id")
        self.fields["snapshot"].queryset = snapshots  # type: ignore[attr-defined]
        self.by_tag = {run.tag: run for run in Run.objects.filter(collection=collection).order_by("tag")}
        for name in ("first", "second"):
            set_choices(self, name, [("", "–"), *((tag, tag) for tag in self.by_tag)])

    def clean_measure(self) -> str:
        return _parsed(self.cleaned_data["measure"])

    def clean(self) -> dict[str, Any]:
        asked = super().clean() or self.cleaned_data
        first, second = asked.get("first"), asked.get("second")
        if bool(first) != bool(second):
            self.add_error("second" if first else "first", "Choose a second run, or none.")
        elif first and first == second:
            self.add_error("second", "Choose another run.")
        return asked

    def asked(self) -> NextPairs:
        """Once it is valid."""
        entered = self.cleaned_data
        tags = [entered["first"], entered["second"]] if entered["first"] else list(self.by_tag)
        return NextPairs(
            snapshot=entered["snapshot"],
            runs=[self.by_tag[tag] for tag in tags],
            measure=entered["measure"],
            depth=entered["depth"],
            best=entered["best"],
            pairs=entered["pairs"],
        )


class PoolOfNextForm(NextForm):
    """A pool of what is listed."""

    name = forms.CharField(max_length=100, label="Name of the pool")

    def clean_name(self) -> str:
        return free_pool_name(self.collection, self.cleaned_data["name"])


class GrowingForm(forms.Form):
    """A pool that grows: how its portions are chosen."""

    name = forms.CharField(max_length=80, help_text="Portions are called so, with their number behind it.")
    method = forms.ChoiceField(
        choices=[(name, METHODS[name].title) for name in GROWING],
        widget=forms.RadioSelect,
        initial="max-mean",
        help_text="Only a stratified sample feeds statAP, xinfAP and infNDCG.",
    )
    runs = forms.ModelMultipleChoiceField(
        Run.objects.none(), to_field_name="tag", widget=forms.CheckboxSelectMultiple, label="Runs"
    )
    depth = forms.IntegerField(
        min_value=1,
        max_value=MOST_DEPTH,
        initial=DEPTH,
        help_text="Documents of each run and topic: the whole pool.",
    )
    portion = forms.IntegerField(min_value=1, max_value=MOST_PAIRS, initial=100, help_text="Pairs of a portion.")
    rel = forms.IntegerField(
        required=False, min_value=1, max_value=10, label="Relevant from grade", help_text="For move to front. Empty: 1."
    )
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1, help_text="Of what is drawn. Empty: 0.")
    renew = forms.BooleanField(required=False, label="The worker makes the next portion once the last one is judged")

    def __init__(self, *args: Any, collection: Collection, numbers: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.numbers = sorted(numbers, key=str.encode)
        self.fields["runs"].queryset = Run.objects.filter(collection=collection).order_by("tag")  # type: ignore[attr-defined]

    def clean(self) -> None:
        super().clean()
        if not self.numbers:
            self.add_error(None, "The collection has no topics yet.")

    def growth(self) -> Growth:
        """Once it is valid: of the first portion."""
        asked = self.cleaned_data
        return Growth(
            series=asked["name"],
            n=1,
            method=asked["method"],
            runs=tuple(run.tag for run in asked["runs"]),
            depth=asked["depth"],
            portion=asked["portion"],
            rel=asked["rel"] or 1,
            seed=asked["seed"] or 0,
            topics=tuple(self.numbers),
            renew=asked["renew"],
        )


class ReplayForm(forms.Form):
    """Which ways to choose judgments are replayed, and on what."""

    snapshot = forms.ModelChoiceField(
        Snapshot.objects.none(),
        to_field_name="name",
        empty_label=None,
        help_text="Its qrels answer: the more of the pool they judge, the better.",
    )
    runs = forms.ModelMultipleChoiceField(
        Run.objects.none(), to_field_name="tag", widget=forms.CheckboxSelectMultiple, label="Runs"
    )
    methods = forms.MultipleChoiceField(
        choices=[(name, method.title) for name, method in METHODS.items()],
        initial=list(METHODS),
        widget=forms.CheckboxSelectMultiple,
    )
    measure = forms.CharField(
        max_length=100, initial=MEASURE, help_text="nDCG@k; or AP, without the two ways that take a regression."
    )
    depth = forms.IntegerField(
        min_value=1, max_value=100, initial=DEPTH, help_text="Documents of each run and topic: the pool."
    )
    rel = forms.IntegerField(min_value=1, max_value=10, initial=1, label="Relevant from grade")
    n_seeds = forms.IntegerField(
        min_value=1, max_value=MOST_SEEDS, initial=SEEDS, label="Draws", help_text="Of each way that chooses at random."
    )
    unlisted = forms.ChoiceField(
        choices=[("skip", "are never chosen"), ("zero", "count as judged 0")],
        initial="skip",
        label="Pairs that the qrels lack",
    )
    leave_out = forms.BooleanField(required=False, label="Again with each run left out of the pool")

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        snapshots, runs = Snapshot.objects.filter(collection=collection), Run.objects.filter(collection=collection)
        self.fields["snapshot"].queryset = snapshots.select_related("collection").order_by("-pk")  # type: ignore[attr-defined]
        self.fields["runs"].queryset = runs.order_by("tag")  # type: ignore[attr-defined]
        self.fields["runs"].initial = [run.tag for run in runs]

    def clean_measure(self) -> str:
        return _parsed(self.cleaned_data["measure"])

    def arguments(self) -> tuple[Snapshot, list[Run], ReplayAsked]:
        """Of the step that asks for it, once it is valid."""
        data = {**self.cleaned_data}
        snapshot, runs = data.pop("snapshot"), list(data.pop("runs"))
        return snapshot, runs, cast("ReplayAsked", data)


class WithoutRunsForm(forms.Form):
    """A pool where there are no runs. Once it is valid, `numbers` are its topics."""

    name = forms.CharField(max_length=100)
    way = forms.ChoiceField(choices=list(WAYS.items()), widget=forms.RadioSelect, initial=BM25, label="Which pairs")
    per_topic = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=100_000,
        label="Documents a topic",
        help_text=f"Of a random sample and of BM25. Empty: {PER_TOPIC}.",
    )
    seed = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text="Of a random sample alone: the same seed draws the same documents. Empty: 0.",
    )
    numbers = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Topic numbers",
        help_text="Separated by blanks or line ends. Empty: all topics.",
    )

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection
        self.collection_numbers = sorted(topics_with_text(collection).values_list("number", flat=True))
        self.n_documents = kept_documents(collection).n_with_text
        self.fields["name"].initial = f"Pool {Pool.objects.filter(collection=collection).count() + 1}"

    @property
    def n_all_pairs(self) -> int:
        return len(self.collection_numbers) * self.n_documents

    def clean_name(self) -> str:
        return free_pool_name(self.collection, self.cleaned_data["name"])

    def clean_numbers(self) -> list[str]:
        numbers = list(dict.fromkeys(split_blanks(self.cleaned_data["numbers"])))
        if unknown := [number for number in numbers if number not in set(self.collection_numbers)]:
            raise forms.ValidationError(not_in_collection(unknown))
        return numbers or self.collection_numbers

    def clean(self) -> dict[str, Any]:
        """What a way does not take is an error under its name; so are more pairs than are stored at once."""
        asked, way = self.cleaned_data, self.cleaned_data.get("way")
        if asked.get("per_topic") is not None and way == ALL:
            self.add_error("per_topic", "All pairs take all documents: leave it empty.")
        if asked.get("seed") is not None and way in {ALL, BM25}:
            self.add_error("seed", "Only a random sample is drawn: leave it empty.")
        if not self.collection_numbers or not self.n_documents:
            lacking = "documents" if self.collection_numbers else "topics"
            self.add_error(None, f"The collection has no {lacking} yet: import them first.")
        elif not self.errors:
            try:
                counts = {"n_topics": len(asked["numbers"]), "n_documents": self.n_documents}
                require_storable(self.recipe(), **counts)
            except TooManyPairsError as reason:
                self.add_error(None, str(reason))
        return asked

    def recipe(self) -> Recipe:
        """Once it is valid."""
        asked = self.cleaned_data
        per_topic = 0 if asked["way"] == ALL else asked["per_topic"] or PER_TOPIC
        return Recipe(asked["way"], per_topic, (asked["seed"] or 0) if asked["way"] == SAMPLE else 0)
