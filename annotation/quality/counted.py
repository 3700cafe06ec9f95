"""Step 1 of the policy: which judgments count, one a person and pair."""

from collections.abc import Collection

import numpy as np

from annotation.quality.arrays import Bools, Ints
from annotation.quality.latest import latest_rows
from annotation.quality.purpose import COUNTABLE, Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable


def counted_rows(
    table: JudgmentTable, *, scale: Scale, excluded: Collection[int] = (), count_not_blind: bool = False
) -> Ints:
    """Row numbers, ascending, of the judgments that count.

    First reading, latest revision. Out: surplus, people excluded (codes), attention checks, repeats, qualification,
    batches not chosen, and (unless `count_not_blind`) people who could see the gold. A last revision outside the scale
    is "cannot judge": then the person has no judgment on that pair, even if an earlier revision was a grade.
    """
    row = answer_rows(table, excluded=excluded, count_not_blind=count_not_blind)
    return row[scale.holds(table.grade[row])]


def answer_rows(table: JudgmentTable, *, excluded: Collection[int] = (), count_not_blind: bool = False) -> Ints:
    """As `counted_rows`, with those that say "cannot judge": everybody's last answer to each pair."""
    eligible = (table.reading == 1) & ~table.surplus & np.isin(table.purpose, COUNTABLE)
    eligible &= ~excluded_mask(table, excluded)[table.annotator]
    if not count_not_blind:
        eligible &= table.blind
    return latest_rows(table, eligible)


def first_judgments(table: JudgmentTable) -> Bools:
    """(n,): first revisions in the chosen batches, whatever they were asked for: what took time, and is paid."""
    first: Bools = (table.revision == 1) & (table.purpose != Purpose.ELSEWHERE)
    return first


def judged_here(table: JudgmentTable) -> Bools:
    """(n_annotators,): who judged in the chosen batches; others are there for their gold in other batches alone."""
    here = np.zeros(len(table.annotators), dtype=np.bool_)
    here[table.annotator[table.purpose != Purpose.ELSEWHERE]] = True
    return here


def excluded_mask(table: JudgmentTable, excluded: Collection[int]) -> Bools:
    """(n_annotators,): True for the excluded codes. Raises `ValueError` for a code that is nobody's."""
    mask = np.zeros(len(table.annotators), dtype=np.bool_)
    codes = np.array(sorted(excluded), dtype=np.int64)
    if len(codes) and (codes[0] < 0 or codes[-1] >= len(mask)):
        raise ValueError("an excluded code is no annotator of the table")
    mask[codes] = True
    return mask
