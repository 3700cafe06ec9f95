"""p as people read it."""

import pytest

from annotation.text.p_values import stated_p, tabled_p
from evaluation.formats.comparison import shown_p


@pytest.mark.parametrize(
    ("p", "in_table", "in_sentence", "of_runs"),
    [
        (0.01234, "0.0123", "= 0.0123", "0.0123"),
        (1.26e-7, "1.26e-07", "= 1.26e-07", "1e-07"),
        (1e-320, "< 1e-300", "< 1e-300", "< 1e-300"),
        (0.0, "< 1e-300", "< 1e-300", "< 1e-300"),
    ],
)
def test_p_is_never_written_as_0(p: float, in_table: str, in_sentence: str, of_runs: str) -> None:
    assert (tabled_p(p), stated_p(p), shown_p(p)) == (in_table, in_sentence, of_runs)
