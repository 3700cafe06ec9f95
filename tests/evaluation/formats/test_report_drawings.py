"""What a report draws keeps to its drawing."""

import itertools
import re

import pytest

from evaluation.formats.report.drawings import CURVES_HEIGHT, FOOT, curves


@pytest.mark.parametrize("ends", [[0.0, 0.001, 0.002, 0.003, 0.004], [0.9, 0.8999, 0.8998, 0.8, 0.5]])
def test_names_beside_curves_neither_leave_the_drawing_nor_cover_each_other(ends: list[float]) -> None:
    values = {f"run-{n}": [1.0, end] for n, end in enumerate(ends)}
    wide = curves(values, [1, 100], list(values), named="P by cutoff").partition("</svg>")[0]
    heights = sorted(float(y) for y in re.findall(r'<text class="n\d" x="\S+" y="([\d.]+)"', wide))
    assert len(heights) == 5
    assert heights[-1] <= CURVES_HEIGHT - FOOT + 4  # the foot of its line of text
    assert min(after - before for before, after in itertools.pairwise(heights)) >= 13.9
