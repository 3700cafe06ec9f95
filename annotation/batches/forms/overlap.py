"""The part of a batch's form about pairs whose grade is in doubt: whether, how far and by what they get more."""

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.html import format_html

from annotation.models import Collection, Policy
from annotation.quality.overlap import ENOUGH, MOST, OverlapRule, why_not
from annotation.quality.policy import Policy as Parameters
from annotation.quality.settings import SettingError

FIXED = "No: every pair gets the same number"
TARGET = 90.0  # percent
NONE_CAN = (
    "A policy that gives each pair’s grade a probability could ask for one judgment more while that is too low. "
    'No stored policy can: a <a href="{}">New policy</a> has to come first, '
    "such as Dawid–Skene without a largest difference of grades."
)
BEGIN = {"consolidation": "dawid_skene", "max_range": "None", "name": "steering"}
FIELD_OF = {"maximum": "most_judgments", "target": "target_probability"}


class OverlapFields(forms.Form):
    """`policies` are handed in; `steered_by` becomes the policy, the target a part of 1."""

    steered_by = forms.ChoiceField(
        required=False,
        label="More judgments where a grade is in doubt",
        help_text=(
            "A policy that gives each pair’s grade a probability asks for one judgment more while that is too low. "
            f"How far to trust its probabilities is learned on gold: {ENOUGH} gold pairs must get as many judgments as "
            "every pair gets at first, or nothing is asked for. Plan for half as many again; the dry run counts them. "
            "The list has the stored policies that can do this."
        ),
    )
    most_judgments = forms.IntegerField(
        required=False,
        min_value=2,
        max_value=MOST,
        label="Judgments per pair, at most",
        help_text="Where a policy asks for more: no pair gets more than this, even if its grade stays in doubt.",
    )
    target_probability = forms.FloatField(
        required=False,
        min_value=50,
        max_value=99,
        initial=TARGET,
        label="Sure enough at (%)",
        help_text="Where a policy asks for more: a pair whose grade is right with this probability gets no more.",
    )

    def __init__(self, *args: Any, collection: Collection, policies: Sequence[Policy] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._policies = {str(policy): policy for policy in policies}
        field = self.fields["steered_by"]
        assert isinstance(field, forms.ChoiceField)
        able = [(name, name) for name, policy in self._policies.items() if not _refusal(policy, MOST)]
        field.choices = [("", FIXED), *((name, name) for name in self._policies)]
        field.widget.choices = [("", FIXED), *able]  # the others are refused with a reason
        if not able:
            address = reverse("policy_new", kwargs={"slug": collection.slug}, query=BEGIN)
            field.help_text = format_html(NONE_CAN, address)

    def clean_overlap(self) -> None:
        """All three, or none of them. A policy that cannot steer is refused with the reason."""
        chosen = self.cleaned_data
        policy = self._policies.get(chosen.get("steered_by") or "")
        most, target = chosen.get("most_judgments"), chosen.get("target_probability")
        if policy is None:
            if most is not None and "steered_by" not in self.errors:
                self.add_error(
                    "steered_by", "Choose the policy that says which pairs get more, or leave the rest empty."
                )
            chosen.update(steered_by=None, most_judgments=None, target_probability=None)
            return
        chosen["steered_by"] = policy
        self._require("most_judgments", most)
        self._require("target_probability", target)
        if most is not None and target is not None and chosen.get("judgments_per_item"):
            self._check(policy, chosen["judgments_per_item"], most, target / 100)
            chosen["target_probability"] = target / 100

    def _require(self, name: str, value: float | None) -> None:
        if value is None and name not in self.errors:
            self.add_error(name, "Say how many or how sure, where a policy asks for more.")

    def _check(self, policy: Policy, first: int, most: int, target: float) -> None:
        try:
            OverlapRule(first, most, target)
        except SettingError as fault:
            self.add_error(FIELD_OF[fault.field], str(fault))
        if refusal := _refusal(policy, most):
            self.add_error("steered_by", refusal)


def _refusal(policy: Policy, most: int) -> str:
    return why_not(Parameters.from_json(json.dumps(policy.parameters)), maximum=most)
