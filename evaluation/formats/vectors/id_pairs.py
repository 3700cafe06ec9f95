"""Pairs of vectors that belong together: two ids a line."""

from pathlib import Path

import numpy as np

from annotation.formats.fields import shown, split_blanks
from annotation.formats.lines import read_lines
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Ints


def read_id_pairs(path: Path, ids: list[str]) -> tuple[Ints, Ints]:
    """Their rows, (n_pairs,) twice. Raises `FormatError` for ids that no vector has, an id beside itself, no pair."""
    problems, place = Problems(path.name), {name: row for row, name in enumerate(ids)}
    rows = list[tuple[int, int]]()
    with path.open("rb") as stream:
        for line, text in read_lines(stream, problems):
            names = split_blanks(text)
            if not names:
                continue
            if len(names) != 2 or names[0] == names[1]:
                problems.add(line, f"two different ids are expected; there is {shown(text)}")
                continue
            unknown = [name for name in names if name not in place]
            for name in unknown:
                problems.add(line, f"no vector has the id {shown(name)}")
            if not unknown:
                rows.append((place[names[0]], place[names[1]]))
    if not rows and not problems:
        problems.add(0, "there is no pair in this file")
    problems.check()
    pairs = np.array(rows, np.int64)
    return pairs[:, 0], pairs[:, 1]
