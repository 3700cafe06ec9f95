"""How far a batch is, as it was at most five seconds ago: it is not counted at every card."""

import time
from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from annotation.models import Batch, Participation
from annotation.models.prepared import KEY, Blank, Values

RECOUNT_AFTER = 5.0  # seconds
_COUNTS = Values(
    lambda: (
        Participation.objects.filter(batch=Blank("batch", KEY))
        .order_by()
        .values("batch")
        .annotate(n=Sum("n_judged"), n_people=Count("pk", filter=Q(is_active=True)))
        .values_list("n", "n_people")
    )
)
_counted: dict[str, tuple[float, "Tally"]] = {}  # batch token → when it was counted, and what


@dataclass(frozen=True)
class Tally:
    """First judgments of all people together, of whatever cards; and how many people take part."""

    n_judged: int
    n_people: int


def tally_of(batch: Batch) -> Tally:
    now = time.monotonic()
    counted = _counted.get(batch.token)
    if counted is None or now - counted[0] > RECOUNT_AFTER:
        row = next(iter(_COUNTS.rows(batch=batch.pk)), (0, 0))
        counted = _counted[batch.token] = now, Tally(*row)
    return counted[1]
