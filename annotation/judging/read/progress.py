"""How far a batch is, for people at work in it: counted every few seconds, not at every card."""

import time

from django.db.models import Sum

from annotation.models import Batch, Participation

LATELY = 5.0  # seconds
_counted: dict[str, tuple[float, int]] = {}  # batch token → when it was counted, how many


def judged_lately(batch: Batch) -> int:
    """First judgments of all people together, as they were at most five seconds ago: one query in that time."""
    now = time.monotonic()
    counted_at, n = _counted.get(batch.token, (0.0, 0))
    if not counted_at or now - counted_at > LATELY:
        n = Participation.objects.filter(batch=batch).aggregate(n=Sum("n_judged"))["n"] or 0
        _counted[batch.token] = (now, n)
    return n


def count_anew() -> None:
    """Forget what was counted."""
    _counted.clear()
