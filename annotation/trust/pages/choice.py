"""Which batches to read, under which policy: asked of many pages, and carried from page to page in the address."""

from collections.abc import Callable, Sequence
from typing import TypeVar
from urllib.parse import urlencode

from django import forms
from django.http import Http404, QueryDict

from annotation.kernel.request import Request
from annotation.models import Batch, Collection, Policy
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read.judgments import by_scale, scale_of
from annotation.trust.read.policies import parameters_of, policies_of
from annotation.trust.read.withheld import judged_batches

Report = TypeVar("Report")


class BatchesForm(forms.Form):
    """Which batches to read, of `batches`, the newest first. None is an error, not all of them."""

    batch = forms.MultipleChoiceField(
        label="Batches",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one batch.", "invalid_choice": "There is no such batch here."},
    )

    def __init__(self, data: QueryDict | None, *, batches: Sequence[Batch]) -> None:
        super().__init__(data)
        self.batches = {batch.token: batch for batch in batches}
        chosen = self.fields["batch"]
        assert isinstance(chosen, forms.MultipleChoiceField)
        chosen.choices = [(token, f"{b.name} ({b.get_state_display().lower()})") for token, b in self.batches.items()]
        chosen.initial = self._of_latest_scale()

    def clean_batch(self) -> list[str]:
        """A policy reads batches together whose scales have the same grades."""
        tokens: list[str] = self.cleaned_data["batch"]
        try:
            scale_of([self.batches[token] for token in tokens])
        except ValueError as error:
            raise forms.ValidationError(str(error), code="scales") from error
        return tokens

    def chosen_batches(self) -> list[Batch]:
        """What was chosen; before anything was, the latest and all with the grades of its scale."""
        if not self.is_bound:
            return [self.batches[token] for token in self._of_latest_scale()]
        return [self.batches[token] for token in self.cleaned_data["batch"]]

    @property
    def file(self) -> str:
        """What of the collection a list is of: the batch, where it is one alone."""
        chosen = self.chosen_batches()
        return chosen[0].name if len(chosen) == 1 else ""

    def _of_latest_scale(self) -> list[str]:
        return [batch.token for batch in next(iter(by_scale(self.batches.values())), [])]

    def report(self, compute: Callable[[list[Batch]], Report]) -> Report | None:
        """What comes of the choice, once it is made and makes sense; a `ValueError` is one of the batches."""
        if not self.is_bound or not self.is_valid():
            return None
        try:
            return compute(self.chosen_batches())
        except ValueError as error:
            self.add_error("batch", str(error))
            return None


class ChoiceOfBatches(BatchesForm):
    """Which batches to read, under which policy."""

    policy = forms.ChoiceField(error_messages={"invalid_choice": "There is no such policy here."})

    def __init__(self, data: QueryDict | None = None, *, batches: Sequence[Batch], policies: Sequence[Policy]) -> None:
        super().__init__(data, batches=batches)
        self.policies = {str(policy): policy for policy in policies}
        rule = self.fields["policy"]
        assert isinstance(rule, forms.ChoiceField)
        rule.choices = [(name, name) for name in self.policies]
        rule.initial = next((name for name, p in self.policies.items() if p.name == "default"), None)

    def chosen_policy(self) -> Policy:
        """What was chosen; before anything was, the default policy."""
        chosen = self.cleaned_data["policy"] if self.is_bound else ""
        return self.policies[chosen or self.fields["policy"].initial]

    def parameters(self) -> Parameters:
        return parameters_of(self.chosen_policy())

    def query(self) -> str:
        """The choice as the query of an address."""
        tokens = [batch.token for batch in self.chosen_batches()]
        return urlencode({"batch": tokens, "policy": str(self.chosen_policy())}, doseq=True)


def choice_in(query: QueryDict, collection: Collection) -> ChoiceOfBatches:
    """What a query chooses; unbound where it says nothing of batches or policy."""
    return ChoiceOfBatches(
        query if {"batch", "policy"} & query.keys() else None,
        batches=judged_batches(collection),
        policies=policies_of(collection),
    )


def choice_of(request: Request, collection: Collection) -> ChoiceOfBatches:
    """Batches and policy of the quality page that led here; what there is not is 404."""
    choice = choice_in(request.GET, collection)
    if choice.batches and choice.is_bound and not choice.is_valid():
        raise Http404("No such batch or policy.")
    return choice


def judged_choice(request: Request, collection: Collection) -> ChoiceOfBatches:
    """As `choice_of`; 404 where nothing has been judged."""
    choice = choice_of(request, collection)
    if not choice.batches:
        raise Http404("Nothing has been judged here.")
    return choice
