"""Forms about whom and what to believe."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from annotation.models import Batch, Policy
from annotation.quality.consolidation import CONSOLIDATORS, RULE_WORDS
from annotation.quality.policy import PARAMETER_WORDS, PolicyError
from annotation.quality.policy import Policy as Parameters
from annotation.trust.pages.choice import BatchesForm
from annotation.trust.read.comparison import trials
from annotation.trust.read.policies import parameters_of

MOST_COMPARED = 8
EVERYBODY: dict[str, Any] = {"accuracy_threshold": 0.0, "count_unproven": True, "max_range": None}


class ChoiceOfPolicies(BatchesForm):
    """Which policies to compare on which batches: stored ones, and rules by themselves."""

    policy = forms.MultipleChoiceField(
        label="Policies",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "There is no such policy here."},
    )
    rule = forms.MultipleChoiceField(
        label="Rules on trial",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=list(RULE_WORDS.items()),
        help_text="On its own: everybody counts, nothing is filtered.",
    )

    def __init__(self, data: QueryDict | None = None, *, batches: Sequence[Batch], policies: Sequence[Policy]) -> None:
        super().__init__(data, batches=batches)
        self.policies = {str(policy): policy for policy in policies}
        policy = self.fields["policy"]
        assert isinstance(policy, forms.MultipleChoiceField)
        policy.choices = [(name, name) for name in self.policies]
        policy.initial = [policies[0]] if policies else []
        self.fields["rule"].initial = ["median", "majority", "accuracy_weighted", "dawid_skene"]

    def clean(self) -> None:
        """Nothing chosen is an error, and more than eight nobody can read side by side."""
        super().clean()
        n = len(self.cleaned_data.get("policy", [])) + len(self.cleaned_data.get("rule", []))
        if not self.errors and not 0 < n <= MOST_COMPARED:
            self.add_error(None, f"Choose one to {MOST_COMPARED} policies and rules in all.")

    def batch_query(self) -> str:
        """The batches chosen as the query of an address."""
        return urlencode({"batch": self.cleaned_data["batch"]}, doseq=True)

    def parameters(self) -> dict[str, Parameters]:
        """Of each policy and rule chosen, by its name."""
        stored = {name: parameters_of(self.policies[name]) for name in self.cleaned_data["policy"]}
        return stored | trials(self.cleaned_data["rule"])


class ChoiceOfOne(BatchesForm):
    """One policy or rule on trial, on which batches."""

    policy = forms.ChoiceField(
        label="Policy or rule",
        error_messages={"invalid_choice": "There is no such policy here."},
        help_text="A rule on trial is used on its own: everybody counts, nothing is filtered.",
    )

    def __init__(self, data: QueryDict | None = None, *, batches: Sequence[Batch], names: Mapping[str, str]) -> None:
        """`names`: what each policy or rule is called, by its name in the address."""
        super().__init__(data, batches=batches)
        policy = self.fields["policy"]
        assert isinstance(policy, forms.ChoiceField)
        policy.choices = list(names.items())


class PolicyForm(forms.Form):
    """Every parameter of a policy, which itself checks what they may be."""

    name = forms.CharField(max_length=100, help_text="An existing name with other parameters becomes its next version.")
    believe_all = forms.BooleanField(
        required=False,
        label="Believe everybody",
        help_text="Whatever stands below: accuracy 0, people with too little gold too, any difference of grades.",
    )
    min_gold = forms.IntegerField(
        min_value=0,
        max_value=10_000,
        label=PARAMETER_WORDS["min_gold"],
        help_text="With less gold than this, accuracy is unknown.",
    )
    accuracy_threshold = forms.FloatField(
        min_value=0,
        max_value=1,
        step_size=0.01,
        label=PARAMETER_WORDS["accuracy_threshold"],
        help_text="Share of gold pairs judged right, from 0 to 1.",
    )
    count_unproven = forms.BooleanField(required=False, label=PARAMETER_WORDS["count_unproven"])
    count_not_blind = forms.BooleanField(required=False, label=PARAMETER_WORDS["count_not_blind"])
    min_judgments = forms.IntegerField(min_value=1, max_value=15, label=PARAMETER_WORDS["min_judgments"])
    max_range = forms.IntegerField(
        min_value=0,
        max_value=10,
        required=False,
        label=PARAMETER_WORDS["max_range"],
        help_text="1: neighbouring grades may stand side by side. Empty: no limit.",
    )
    consolidation = forms.ChoiceField(
        choices=[(name, RULE_WORDS[name]) for name in CONSOLIDATORS],
        label=PARAMETER_WORDS["consolidation"],
        help_text="The weighted vote and the models weigh everybody's errors themselves: count everybody, above.",
    )
    gold_pairs = forms.ChoiceField(
        choices=[
            ("expert", "from the expert: the known grade"),
            ("judged", "as judged, like any other pair"),
            ("omitted", "not at all"),
        ],
        label=PARAMETER_WORDS["gold_pairs"],
    )
    count_machines = forms.BooleanField(
        required=False,
        label=PARAMETER_WORDS["count_machines"],
        help_text="Usually not: qrels of a machine favour systems built like it. Wherever such qrels are shown, it is "
        "said of them.",
    )

    def parameters(self) -> Parameters:
        entries = {field.name: self.cleaned_data[field.name] for field in fields(Parameters)}
        return Parameters(**entries | (EVERYBODY if self.cleaned_data["believe_all"] else {}))

    def clean(self) -> None:
        """An error of the policy stands beside its parameter."""
        super().clean()
        if self.errors:
            return
        try:
            self.parameters()
        except PolicyError as error:
            self.add_error(error.field or None, error.reason)
