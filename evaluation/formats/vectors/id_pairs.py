"""Pairs of vectors: two ids a line that belong together, or two ids and the similarity they should have; classes."""

import math
from collections.abc import Collection, Iterator, Sequence
from typing import BinaryIO

import numpy as np

from annotation.formats.fields import shown, split_blanks
from annotation.formats.lines import read_lines
from annotation.formats.numbers import DECIMAL
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.space.uniformity import pairs_within

Side = Collection[str]  # ids that there are

CLASS_ROWS = 200  # of a class, the first, among which all pairs are taken


def parse_id_pairs(stream: BinaryIO, problems: Problems, ids: list[str]) -> tuple[Ints, Ints]:
    """Their rows, (n_pairs,) twice. Raises `FormatError` for ids that no vector has, an id beside itself, no pair."""
    row_by_id = {name: row for row, name in enumerate(ids)}
    rows = list[tuple[int, int]]()
    for line, names in _fields(stream, problems):
        if len(names) != 2 or names[0] == names[1]:
            problems.add(line, f"two different ids are expected; there is {shown(' '.join(names))}")
        elif _are_known(names, (row_by_id, row_by_id), line, problems):
            rows.append((row_by_id[names[0]], row_by_id[names[1]]))
    _check(problems, len(rows))
    pairs = np.array(rows, np.int64)
    return pairs[:, 0], pairs[:, 1]


def parse_target_pairs(
    stream: BinaryIO, problems: Problems, first: Side, second: Side
) -> tuple[list[str], list[str], Floats]:
    """`(ids, ids, similarities)` of pairs, whose first ids are of `first` and whose second ones of `second`.

    Raises `FormatError` for ids that are not there, a similarity that is no decimal number, no pair.
    """
    rows = list[tuple[str, str, float]]()
    for line, fields in _fields(stream, problems):
        if len(fields) != 3 or not DECIMAL.match(fields[2]) or not math.isfinite(float(fields[2])):
            problems.add(line, f"two ids and a decimal number are expected; there is {shown(' '.join(fields))}")
        elif _are_known(fields[:2], (first, second), line, problems):
            rows.append((fields[0], fields[1], float(fields[2])))
    _check(problems, len(rows))
    left, right, target = zip(*rows, strict=True)
    return list(left), list(right), np.array(target)


def parse_class_pairs(stream: BinaryIO, problems: Problems, ids: list[str]) -> tuple[Ints, Ints]:
    """All pairs of rows of one class, of the first `CLASS_ROWS` rows of each, (n_pairs,) twice. Raises as
    `parse_classes`."""
    group = parse_classes(stream, problems, ids)
    rows = np.nonzero(group >= 0)[0]
    first, second = pairs_within(group[rows], CLASS_ROWS)
    return rows[first], rows[second]


def parse_classes(stream: BinaryIO, problems: Problems, ids: list[str]) -> Ints:
    """The class of each vector by a number, (n_rows,), −1 for what the file does not name: an id and a word a line.

    Raises `FormatError` for ids that no vector has or that stand twice, and for no id.
    """
    row_by_id = {name: row for row, name in enumerate(ids)}
    number, group, n = dict[str, int](), np.full(len(ids), -1, np.int64), 0
    for line, fields in _fields(stream, problems):
        if len(fields) != 2:
            problems.add(line, f"an id and its class are expected; there is {shown(' '.join(fields))}")
        elif _are_known(fields[:1], (row_by_id,), line, problems):
            if group[row_by_id[fields[0]]] >= 0:
                problems.add(line, f"the id {shown(fields[0])} has a class already")
            group[row_by_id[fields[0]]], n = number.setdefault(fields[1], len(number)), n + 1
    _check(problems, n)
    return group


def _fields(stream: BinaryIO, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    for line, text in read_lines(stream, problems):
        if fields := split_blanks(text):
            yield line, fields


def _are_known(names: list[str], sides: Sequence[Side], line: int, problems: Problems) -> bool:
    unknown = [name for name, side in zip(names, sides, strict=True) if name not in side]
    for name in unknown:
        problems.add(line, f"no vector has the id {shown(name)}")
    return not unknown


def _check(problems: Problems, n_pairs: int) -> None:
    if not n_pairs and not problems:
        problems.add(0, "there is no pair in this file")
    problems.check()
