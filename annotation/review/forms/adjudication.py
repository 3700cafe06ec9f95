"""Forms of those who have the last word."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from annotation.kernel.forms import set_choices
from annotation.models import Batch, Policy, ScaleVersion
from annotation.quality.consolidation import MODELS
from annotation.trust.pages.choice import ChoiceOfBatches


class QueueForm(ChoiceOfBatches):
    """What to look for contested pairs in, and what counts as contested. Without a policy: the default one."""

    posterior = forms.ChoiceField(
        required=False,
        label="Second opinion",
        help_text="A stored policy with a posterior of its own. Pairs of whose grade it is not sure are contested.",
    )
    below = forms.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        step_size=0.01,
        label="Not sure below",
        help_text="Confidence from 0 to 1; without a number .7.",
    )
    wide = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=10,
        label="A wide range, in steps",
        help_text="Between the lowest and the highest grade of a pair, whoever gave them; without a number 3, or the "
        "whole of a shorter scale.",
    )

    def __init__(self, data: QueryDict | None = None, *, batches: Sequence[Batch], policies: Sequence[Policy]) -> None:
        super().__init__(data, batches=batches, policies=policies)
        self.fields["policy"].required = False
        self.opinions = {name: each for name, each in self.policies.items() if _has_posterior(each)}
        set_choices(self, "posterior", [("", "none"), *((name, name) for name in self.opinions)])

    def second_opinion(self) -> Policy | None:
        return self.opinions.get(self.cleaned_data["posterior"]) if self.is_bound else None

    def numbers(self) -> dict[str, float]:
        """`below` and `wide`, where they are given."""
        answers = self.cleaned_data if self.is_bound else {}
        return {name: answers[name] for name in ("below", "wide") if answers.get(name) is not None}


class BlindGradeForm(forms.Form):
    """A grade of the scale, from before anybody else's is shown."""

    grade = forms.TypedChoiceField(coerce=int, widget=forms.RadioSelect)

    def __init__(self, data: QueryDict | None = None, *, scale: ScaleVersion, grade: int | None = None) -> None:
        super().__init__(data, initial={} if grade is None else {"grade": grade})
        grades = [(each["grade"], f"{each['grade']} · {each['name']}") for each in scale.grades]
        set_choices(self, "grade", grades)


class DecisionForm(BlindGradeForm):
    """The last word, and why. `based_on`: how many decisions the page showed."""

    reason = forms.CharField(
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Stays in the record. What in the document decides it, or what changed your mind.",
    )
    based_on = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(
        self, data: QueryDict | None = None, *, scale: ScaleVersion, grade: int | None = None, based_on: int = 0
    ) -> None:
        super().__init__(data, scale=scale, grade=grade)
        self.initial["based_on"] = based_on


class SendForm(forms.Form):
    """Why pairs are sent to those who decide."""

    reason = forms.CharField(
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Why",
        help_text="Stands beside the pairs in the queue, where whoever decides reads it before they grade: name no "
        "grade, and nobody who gave one.",
    )


class WithdrawalForm(forms.Form):
    """Why a decision is taken back."""

    reason = forms.CharField(max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))
    based_on = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


def _has_posterior(policy: Policy) -> bool:
    return policy.parameters.get("consolidation") in MODELS
