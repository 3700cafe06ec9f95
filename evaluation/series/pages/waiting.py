"""What the overview of a collection says of its series."""

from django.urls import reverse

from annotation.kernel.tasks import Task
from annotation.models import Collection
from annotation.text.counted import counted
from evaluation.series.read.series import n_alarmed


def open_alerts_waiting(collection: Collection, roles: frozenset[str]) -> list[Task]:
    """Empty where no alert is open."""
    n = n_alarmed(collection)
    if not n:
        return []
    text = f"{counted(n, 'alert')} of series {'is' if n == 1 else 'are'} open."
    return [Task(text, "Look into it", reverse("series_list", args=[collection.slug]))]
