"""Measured figures, as people read them."""

import pytest

from annotation.text.figures import number


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0"),
        (0.62128, "0.6213"),
        (0.00002, "2e-05"),
        (9_999.4, "9999"),
        (9_999.7, "10,000"),
        (-9_999.7, "-10,000"),
        (12_400.0, "12,400"),
    ],
)
def test_a_figure_has_four_digits(value: float, words: str) -> None:
    assert number(value) == words
