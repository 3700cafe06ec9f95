"""Freezing: the choice of batches and policy, and a name."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from annotation.models import Batch, Collection, Policy, Snapshot
from annotation.trust.pages.choice import ChoiceOfBatches


class FreezeForm(ChoiceOfBatches):
    name = forms.CharField(max_length=100, help_text="Cannot be changed later, nor used again.")
    field_order = ["name", "batch", "policy"]

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        collection: Collection,
        batches: Sequence[Batch],
        policies: Sequence[Policy],
    ) -> None:
        super().__init__(data, batches=batches, policies=policies)
        self.collection = collection

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Snapshot.objects.filter(collection=self.collection, name=name).exists():
            raise forms.ValidationError("The collection already has a snapshot of this name.", code="taken")
        return name
