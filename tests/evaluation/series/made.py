"""Series of a collection as bundles have them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from annotation.models import Collection
from evaluation.series.read.series import open_alert_of
from evaluation.series.steps.alerts import add_note, close_alert, see_alert
from evaluation.series.steps.making import create_series, end_series
from evaluation.series.steps.points import NewPoint, add_points

BEGIN = datetime(2026, 6, 1, 2, tzinfo=UTC)
VALUE = np.r_[np.random.default_rng(4).normal(0.45, 0.01, 40), np.random.default_rng(5).normal(0.42, 0.01, 15)]
RULE: dict[str, Any] = {"rule": "cusum", "bad": "down", "n_history": 30, "horizon": 30, "rate": 0.05, "block": 1}


def make_series(collection: Collection) -> None:
    """One with an open alert, a closed one and missed moments; one that measures itself; one that has ended."""
    watched = create_series(
        collection, name="nightly", kind="outside", schedule="daily", hour=3, created_by=None, **RULE
    )
    points = [NewPoint(BEGIN + timedelta(days=day), value) for day, value in enumerate(VALUE.tolist())]
    add_points(watched, points, source="api", actor=None)
    alert = open_alert_of(watched)
    assert alert is not None
    see_alert(alert, actor=None)
    close_alert(alert, note="The crawl was old", anew=False, actor=None)
    more = [NewPoint(BEGIN + timedelta(days=60 + day), 0.3, 0.2, 0.4, "build 7", "a" * 64) for day in range(3)]
    add_points(watched, more, source="api", actor=None)
    watched.points.create(time=BEGIN + timedelta(days=57), n_missed=2, reason="No point came.", source="schedule")
    add_note(watched, time=BEGIN, text="Begun", actor=None)
    of = {"run": "r*", "measure": "AP"}
    create_series(collection, name="measured", kind="measure", of=of, schedule="weekly", created_by=None, **RULE)
    ended = create_series(
        collection,
        name="over",
        kind="gold",
        of={"days": 7},
        rule="limits",
        bad="down",
        low=0.7,
        schedule="weekly",
        created_by=None,
    )
    end_series(ended, actor=None)
