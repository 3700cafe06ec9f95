"""What is usual is frozen by the rule as it stands, however long drawing its thresholds takes."""

from datetime import timedelta
from typing import Any

import pytest

from evaluation.engine.drift.rule import baseline_of
from evaluation.models import Series
from evaluation.series.steps import points
from evaluation.series.steps.making import create_series
from evaluation.series.steps.points import NewPoint
from tests.evaluation.series.made import BEGIN, RULE, VALUE
from tests.factories import make_collection

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "changed", [{"horizon": 100}, {"n_history": 40}, {"rule": "limits", "low": 0.1}, {"history_from": BEGIN}]
)
def test_thresholds_of_a_rule_that_was_edited_meanwhile_are_not_kept(
    changed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edit lies between the drawing of thresholds and their storing; whoever edits settles the series next."""
    series = create_series(make_collection(), name="nightly", kind="outside", created_by=None, **RULE)

    def drawn_slowly(*args: Any, **kwargs: Any) -> Any:
        drawn = baseline_of(*args, **kwargs)
        Series.objects.filter(pk=series.pk).update(**changed)
        return drawn

    monkeypatch.setattr(points, "baseline_of", drawn_slowly)
    new = [NewPoint(BEGIN + timedelta(days=day), value) for day, value in enumerate(VALUE[:35].tolist())]
    points.add_points(series, new, source="api", actor=None)
    series.refresh_from_db()
    assert series.baseline is None
    monkeypatch.undo()
    points.settle(series)
    series.refresh_from_db()
    expected = baseline_of(VALUE[:30], method="cusum", bad="down", horizon=series.horizon, rate=0.05)
    is_due = series.rule == "cusum" and series.n_history == 30
    assert series.baseline == (expected.to_facts() if is_due else None)
