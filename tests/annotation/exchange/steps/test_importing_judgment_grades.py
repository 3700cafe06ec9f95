"""Grades of a file that the scale does not have."""

import pytest

from tests.annotation.exchange.steps.import_work import problems_of, stored
from tests.factories import make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]

THREE = "query\tdocno\tannotator\tgrade\n1\tA\tw1\t4\n1\tA\tw2\t2\n2\tB\tw1\t-2\n"


def test_a_map_to_grades_above_the_scale_is_refused() -> None:
    record = stored(make_collection(), "judgments", THREE, grades="4=7, 2=2, -2=cannot")
    assert problems_of(record) == [
        ("my.judgments", 0, "the map says 4=7, and the scale here goes from 0 to 4; who could not judge is cannot")
    ]


def test_grades_above_the_scale_are_named_before_they_count_as_cannot_judge() -> None:
    record = stored(make_collection(), "judgments", THREE + "2\tB\tw2\t9\n", name="crowd")
    assert record.preview["notes"][0] == (
        "my.judgments: above the scale, so taken as cannot judge: 9 (1); the scale here goes from 0 to 4. "
        "Say what they are worth here if they are grades"
    )
