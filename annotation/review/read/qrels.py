"""Qrels that came as files and are not here yet: what is to be said where there are none to choose."""

from dataclasses import dataclass

from annotation.models import Collection, Import

MOST = 10
_NOT_HERE = (Import.State.CHECKING, Import.State.CHECKED, Import.State.REFUSED, Import.State.FAILED)


@dataclass(frozen=True)
class WaitingQrels:
    """`reason`: the first that the file was refused for; "" where it was not."""

    pk: int
    filename: str
    state: str
    reason: str


def waiting_qrels(collection: Collection) -> list[WaitingQrels]:
    """The newest first, at most ten."""
    records = Import.objects.filter(collection=collection, kind=Import.Kind.QRELS, state__in=_NOT_HERE)
    return [
        WaitingQrels(record.pk, record.filename, record.get_state_display().lower(), _first_reason(record))
        for record in records.defer("preview").order_by("-pk")[:MOST]
    ]


def _first_reason(record: Import) -> str:
    return str(record.problems[0]["reason"]) if record.problems else ""
