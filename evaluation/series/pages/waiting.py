"""What the overview of a collection says of its series."""

from django.urls import reverse

from annotation.models import Collection
from annotation.text.counted import counted
from evaluation.series.read.series import n_alarmed


def open_alerts_waiting(collection: Collection) -> tuple[str, str] | None:
    """A sentence and the address that it leads to; None where no alert is open."""
    n = n_alarmed(collection)
    if not n:
        return None
    return f"{counted(n, 'alert')} of series {'is' if n == 1 else 'are'} open.", reverse(
        "series_list", args=[collection.slug]
    )
