"""Closing a batch, with a snapshot of it."""

from django.http import QueryDict

from annotation.kernel.forms import NamedSnapshotForm
from annotation.models import Batch
from annotation.trust.read.snapshots import name_after


class CloseForm(NamedSnapshotForm):
    def __init__(self, data: QueryDict | None = None, *, batch: Batch) -> None:
        super().__init__(data, initial={"name": name_after(batch)})
        self.collection = batch.collection
