"""Series in a bundle: they stand where they arrive as they stood."""

from datetime import UTC, datetime
from typing import Any

import pytest

from annotation.models import Collection, Delivery
from evaluation.models import Series
from evaluation.series.pages.overview import overview_of
from evaluation.series.steps.bundle_part import ManySeries, SeriesAlerts, SeriesPoints, SeriesRow
from tests.annotation.exchange.steps.bundle_work import copy_of, make_full

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


def standing(collection: Collection) -> list[tuple[Any, ...]]:
    return [
        (
            *(getattr(one, name) for name in SeriesRow.__dataclass_fields__),
            overview_of(one).words,
            list(one.points.values_list("time", "value", "low", "high", "n_missed", "rests_on", "key", "created_at")),
            list(
                one.alerts.order_by("pk").values_list("point__time", "since", "level", "opened_at", "closed_at", "note")
            ),
            list(one.notes.values_list("time", "text", "created_at")),
        )
        for one in Series.objects.filter(collection=collection).select_related("collection").order_by("name")
    ]


def test_series_stand_as_they_stood() -> None:
    collection = make_full().collection
    copy = copy_of(collection)
    assert standing(copy) == standing(collection)
    assert len(standing(copy)[1][-2]) == 2  # alerts, one of them open
    nightly = Series.objects.get(collection=copy, name="nightly")
    assert nightly.next_due is not None
    assert nightly.next_due > datetime.now(UTC)
    assert Series.objects.get(collection=copy, name="over").next_due is None
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(
    ("part", "change", "reason"),
    [
        (ManySeries, {"zone": "Nowhere/Land"}, "there is no time zone Nowhere/Land"),
        (ManySeries, {"kind": "measure", "of": {"run": "r"}}, "is said by measure, run"),
        (ManySeries, {"of": {"run": "r"}}, "is said by nothing"),
        (ManySeries, {"baseline": {"mean": 1}}, "its baseline is none of a rule"),
        (SeriesPoints, {"value": None, "n_missed": 0}, "a point has a value, or moments"),
        (SeriesPoints, {"value": 1.0, "n_missed": 1}, "a point has a value, or moments"),
        (SeriesAlerts, {"until": None}, "says until when"),
    ],
)
def test_what_would_break_later_is_refused(part: Any, change: dict[str, Any], reason: str) -> None:
    collection = make_full().collection
    transfer: Any = type("Out", (), {"collection": collection, "batches": frozenset()})()
    sound = next(row for row in part(transfer).rows() if getattr(row, "name", "nightly") == "nightly")
    assert part(transfer).fault(sound) == ""
    assert reason in part(transfer).fault(type(sound)(**{**vars(sound), **change}))
