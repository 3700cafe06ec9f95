"""Who was brought back by hand, and what they had judged by then."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

import numpy as np
from django.db.models import Max

from annotation.models import Collection, ExclusionEvent, Judgment, PauseEvent
from annotation.quality.inputs import Inputs

BACK = (ExclusionEvent.Action.REINSTATE, PauseEvent.Action.RESUME)


def last_before_return(collection: Collection) -> dict[str, int]:
    """By pseudonym, of those brought back by hand: the last judgment saved before they last were, 0 for none."""
    back: dict[str, tuple[int, datetime]] = {}
    for kind in (ExclusionEvent, PauseEvent):
        by_hand = kind._default_manager.filter(collection=collection, action__in=BACK, rule="")  # noqa: SLF001
        for name, key, moment in by_hand.values_list("annotator__pseudonym", "annotator", "created_at"):
            back[name] = max(back.get(name, (key, moment)), (key, moment))
    return {name: _last(key, moment) for name, (key, moment) in back.items()}


def _last(annotator: int, moment: datetime) -> int:
    before = Judgment.objects.filter(annotator=annotator, created_at__lte=moment)
    return before.aggregate(last=Max("pk"))["last"] or 0


def parted_at(inputs: Inputs, last: Mapping[str, int], *, since: bool) -> Inputs:
    """The same with, of each person in `last`, only what they judged up to that judgment, or only what came after."""
    table = inputs.table
    far = np.iinfo(np.int64).max if not since else 0
    bounds = np.array([last.get(name, far) for name in table.annotators], dtype=np.int64)
    bound = bounds[table.annotator]
    kept = table.sequence > bound if since else table.sequence <= bound
    return replace(inputs, table=table.of(kept))
