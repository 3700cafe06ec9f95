"""Which batches to read, under which policy: asked of many pages."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from annotation.models import Batch, Policy


class BatchesForm(forms.Form):
    """Which batches to read. None is an error, not all of them."""

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
        chosen.initial = list(self.batches)

    def chosen_batches(self) -> list[Batch]:
        """What was chosen; before anything was, all."""
        if not self.is_bound:
            return list(self.batches.values())
        return [self.batches[token] for token in self.cleaned_data["batch"]]


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

    def query(self) -> str:
        """The choice as the query of an address."""
        tokens = [batch.token for batch in self.chosen_batches()]
        return urlencode({"batch": tokens, "policy": str(self.chosen_policy())}, doseq=True)
