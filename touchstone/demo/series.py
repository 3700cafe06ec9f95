"""Series of the demo: a nightly figure with an alert, and one that measures itself."""

from datetime import timedelta
from typing import Any

import numpy as np
from django.utils import timezone

from annotation.models import Collection, User
from evaluation.models import Series, SeriesPoint
from evaluation.series.steps.alerts import add_note
from evaluation.series.steps.making import create_series
from evaluation.series.steps.points import NewPoint, add_points

SEED, NIGHTS, CHANGE, MISSED = 20, 75, 60, (33, 34)  # nights from the first on
USUAL, DEVIATION, FALL = 0.62, 0.012, 0.022
RULE: dict[str, Any] = {"rule": Series.Rule.CUSUM, "bad": Series.Bad.DOWN, "n_history": 50, "horizon": 30, "rate": 0.05}


def watch_figures(collection: Collection, admin: User) -> None:
    """The nightly figures are drawn by a program: a fall of some two deviations after 60 nights."""
    series = create_series(
        collection,
        name="nightly nDCG@10",
        description="nDCG@10 of a made-up search, built anew each night. The figures were drawn by a program.",
        kind=Series.Kind.OUTSIDE,
        schedule=Series.Schedule.DAILY,
        created_by=admin,
        **RULE,
    )
    begin = timezone.now().replace(hour=2, minute=0, second=0, microsecond=0) - timedelta(days=NIGHTS)
    night = np.arange(NIGHTS)
    value = np.random.default_rng(SEED).normal(USUAL, DEVIATION, NIGHTS) - FALL * (night >= CHANGE)
    points = [
        NewPoint(begin + timedelta(days=n), float(value[n]), rests_on=f"build {400 + n}")
        for n in range(NIGHTS)
        if n not in MISSED
    ]
    add_points(series, points, source=SeriesPoint.Source.API, actor=admin)
    SeriesPoint.objects.create(
        series=series,
        time=begin + timedelta(days=MISSED[-1]),
        n_missed=len(MISSED),
        reason="No point came.",
        source=SeriesPoint.Source.SCHEDULE,
    )
    add_note(series, time=begin + timedelta(days=CHANGE), text="Another tokenizer went in", actor=admin)
    create_series(
        collection,
        name="accuracy on gold",
        kind=Series.Kind.GOLD,
        rule=Series.Rule.LIMITS,
        bad=Series.Bad.DOWN,
        low=0.7,
        schedule=Series.Schedule.WEEKLY,
        created_by=admin,
    )
