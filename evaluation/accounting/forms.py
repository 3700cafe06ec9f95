"""What to account for: runs, measures and k; of policies, which ones and on which batches."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from annotation.models import Batch, Collection, Policy
from annotation.quality.consolidation import RULE_WORDS
from evaluation.engine.measures import DEFAULT_MEASURES, is_quality
from evaluation.engine.measures.names import split_names
from evaluation.models import Run

MOST_POLICIES = 8
MOST_K = 1000
_USUAL = ", ".join(name for name in DEFAULT_MEASURES if is_quality(name))
_UNKNOWN = {"invalid_choice": "Nothing here has this name."}


class AccountingForm(forms.Form):
    k = forms.IntegerField(
        min_value=1, max_value=MOST_K, initial=10, label="k", help_text="How deep to look for what is judged: Judged@k."
    )
    measures = forms.CharField(
        required=False,
        help_text=f"Separated by blanks or commas, as nDCG@20 P@5 AP(rel=2). Empty: {_USUAL}.",
    )
    runs = forms.ModelMultipleChoiceField(
        Run.objects.none(), to_field_name="tag", widget=forms.CheckboxSelectMultiple, label="Runs"
    )

    def __init__(self, data: QueryDict | None = None, *, collection: Collection, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        runs = Run.objects.filter(collection=collection)
        self.fields["runs"].queryset = runs  # type: ignore[attr-defined]
        self.fields["runs"].initial = [run.tag for run in runs]

    def clean_measures(self) -> list[str]:
        """The names; the step refuses unknown ones with the nearest that exist."""
        return split_names(str(self.cleaned_data["measures"]))

    def arguments(self) -> dict[str, Any]:
        """For the step that asks for an accounting."""
        return {name: self.cleaned_data[name] for name in ("runs", "k", "measures")}


class PoliciesForm(AccountingForm):
    """Two to eight policies and rules by themselves, on the same batches."""

    batch = forms.MultipleChoiceField(label="Batches", widget=forms.CheckboxSelectMultiple, error_messages=_UNKNOWN)
    policy = forms.MultipleChoiceField(
        label="Policies", required=False, widget=forms.CheckboxSelectMultiple, error_messages=_UNKNOWN
    )
    rule = forms.MultipleChoiceField(
        label="Rules on trial",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=list(RULE_WORDS.items()),
        initial=["median", "majority", "dawid_skene"],
        help_text="On its own: everybody counts, nothing is filtered.",
        error_messages=_UNKNOWN,
    )
    field_order = ("batch", "policy", "rule", "k", "measures", "runs")

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        collection: Collection,
        batches: Sequence[Batch],
        policies: Sequence[Policy],
    ) -> None:
        super().__init__(data, collection=collection)
        self.batches = {batch.token: batch for batch in batches}
        self.policies = {str(policy): policy for policy in policies}
        batch, policy = self.fields["batch"], self.fields["policy"]
        assert isinstance(batch, forms.MultipleChoiceField)
        assert isinstance(policy, forms.MultipleChoiceField)
        batch.choices = [(token, each.name) for token, each in self.batches.items()]
        policy.choices = [(name, name) for name in self.policies]
        batch.initial = list(self.batches)
        policy.initial = [name for name, each in self.policies.items() if each.name == "default"][:1]

    def clean(self) -> None:
        """One policy has nothing beside it, and more than eight nobody can read side by side."""
        super().clean()
        n = len(self.cleaned_data.get("policy", [])) + len(self.cleaned_data.get("rule", []))
        if not self.errors and not 2 <= n <= MOST_POLICIES:
            self.add_error(None, f"Choose two to {MOST_POLICIES} policies and rules in all.")

    def arguments(self) -> dict[str, Any]:
        return {
            **super().arguments(),
            "batches": [self.batches[token] for token in self.cleaned_data["batch"]],
            "policies": [self.policies[name] for name in self.cleaned_data["policy"]],
            "rules": self.cleaned_data["rule"],
        }
