"""Lists of items for people or queries; or a query log alone."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.kernel.forms import set_choices
from evaluation.beyond.forms.sources import NONE, TABLE, SourcesForm, choice_field, file_field, snapshot_field
from evaluation.beyond.steps.asking import Source, snapshot_source
from evaluation.models import Description
from evaluation.vectors.read import DOCUMENTS

K, MOST_K = 10, 10_000


class RecommendationsForm(SourcesForm):
    """Lists of items for people or queries; or a query log alone."""

    kind = Description.Kind.RECOMMENDATIONS
    options = ("k",)

    run = choice_field("Run of the collection", "A person or query is a topic, an item a document.")
    run_file = file_field("or a file with a run", "In any form that runs are imported from.")
    items = file_field("Items", f"{TABLE}: item, popularity, category. Without it the catalogue is what has a vector.")
    vectors = choice_field("Vectors of the items", "Of documents. Without them items of one category are alike.")
    snapshot = snapshot_field("What people wanted", "A snapshot, for the hit rate.")
    truth = file_field("or a file of qrels", "What people wanted; grade 1 or more.")
    history = file_field("What people knew", f"{TABLE}: person, item. For serendipity.")
    asked_file = file_field(
        "Who was asked", f"{TABLE}: query or person, how often. Alone, with a column of results: zero results of a log."
    )
    k = forms.IntegerField(min_value=1, max_value=MOST_K, initial=K, label="First items of each list")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "run", [NONE, *((tag, tag) for tag in self.stored_runs)])
        sets = [name for name, one in self.stored_sets.items() if one.side == DOCUMENTS]
        set_choices(self, "vectors", [NONE, *((name, name) for name in sets)])
        self.choose_snapshot()

    def clean(self) -> None:
        super().clean()
        for first, second in (("run", "run_file"), ("snapshot", "truth")):
            if len(self.has(first, second)) > 1:
                self.add_error(second, "One of the two, not both.")
        if self.has("run", "run_file"):
            if not self.has("items", "vectors"):
                self.add_error("items", "Send the items, or choose their vectors: they are the catalogue.")
        elif not self.has("asked_file"):
            self.add_error("run", "Choose a run, or send one; or a query log alone, as who was asked.")
        elif beside := self.has("items", "vectors", "snapshot", "truth", "history"):
            self.add_error(beside[0], "Of no use without a run.")

    def sources(self) -> Mapping[str, Source | None]:
        snapshot = self.cleaned_data["snapshot"]
        return {
            "run": self.stored_run("run") or self.file("run_file"),
            "items": self.file("items"),
            "vectors": self.stored_vectors("vectors"),
            "truth": snapshot_source(snapshot) if snapshot else self.file("truth"),
            "history": self.file("history"),
            "asked": self.file("asked_file"),
        }
