"""What keeps a batch from being laid out."""

from annotation.models import Batch


class LayoutError(Exception):
    """The batch cannot be laid out; the message says why."""


def require_draft(batch: Batch) -> None:
    """Raises `LayoutError` for a batch that cannot be laid out any more."""
    if batch.brought_by_id is not None:
        raise LayoutError("The judgments of this batch were made elsewhere.")
    if batch.state == Batch.State.IMPORTING:  # it is being deleted
        raise LayoutError("The batch is gone.")
    if batch.state != Batch.State.DRAFT:
        raise LayoutError("This batch has been laid out already.")


def locked_draft(batch: Batch) -> Batch:
    """The draft as it is now, locked until the transaction ends. Raises `LayoutError` where it is none any more."""
    batches = Batch.objects.select_for_update(of=("self",), no_key=True).select_related("collection", "scale")
    draft = batches.filter(pk=batch.pk).first()
    if draft is None:
        raise LayoutError("The batch is gone.")
    require_draft(draft)
    return draft
