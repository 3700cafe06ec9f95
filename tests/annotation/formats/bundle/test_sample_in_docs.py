"""The line of a bundle that docs/formats.md shows is one that goes in and comes out."""

import json
import re
from pathlib import Path

from annotation.formats.bundle.row_schema import line_of, row_of
from annotation.formats.bundle.rows import JudgmentRow

PAGE = Path(__file__).resolve().parents[4] / "docs" / "formats.md"


def test_the_sample_is_a_judgment() -> None:
    section = PAGE.read_text("utf-8").partition("\n### Bundle\n")[2]
    sample = re.findall(r"```json\n(.*?)\n```", section, re.DOTALL)[0]
    assert line_of(row_of(JudgmentRow, json.loads(sample))).decode() == sample
