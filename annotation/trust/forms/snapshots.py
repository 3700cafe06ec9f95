"""Freezing: the choice of batches and policy, and a name."""

from collections.abc import Sequence

from django.http import QueryDict

from annotation.kernel.forms import NamedSnapshotForm
from annotation.models import Batch, Collection, Policy
from annotation.trust.pages.choice import ChoiceOfBatches


class FreezeForm(NamedSnapshotForm, ChoiceOfBatches):
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
