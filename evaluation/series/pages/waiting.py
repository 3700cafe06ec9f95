"""What the overview of a collection says of its series."""

from django.urls import reverse

from annotation.kernel.tasks import Task
from annotation.models import Collection
from annotation.text.counted import counted
from evaluation.series.read.series import open_alerts


def open_alerts_waiting(collection: Collection, roles: frozenset[str]) -> list[Task]:
    """Empty where no alert is open."""
    numbers = list(open_alerts(collection).values_list("series", flat=True))
    if not numbers:
        return []
    n = len(numbers)
    text = f"{counted(n, 'alert')} of series {'is' if n == 1 else 'are'} open."
    if n == 1:
        return [Task(text, "Look into it", reverse("series", args=[collection.slug, *numbers]))]
    return [Task(text, "Look into them", reverse("series_list", args=[collection.slug]))]
