"""How often each annotator is right on gold: the first half of step 2 of the policy."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints, divided, tally
from annotation.quality.gold import Gold
from annotation.quality.latest import latest_grades
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable
from annotation.quality.wilson import wilson_interval

_APART = (Purpose.CHECK, Purpose.REPEAT, Purpose.QUALIFICATION)


@dataclass(frozen=True, eq=False)
class Accuracy:
    """One entry an annotator, (n_annotators,) each, in the order of the table's annotators."""

    n_gold: Ints  # gold pairs judged
    n_correct: Ints
    share: Floats  # n_correct / n_gold; NaN where no gold was judged
    low: Floats  # Wilson, 95 %
    high: Floats

    def of(self, index: Ints) -> "Accuracy":
        """Those at these places, in this order."""
        return Accuracy(self.n_gold[index], self.n_correct[index], self.share[index], self.low[index], self.high[index])


@dataclass(frozen=True, eq=False)
class Scored:
    """(n_scored,) each, in the order of the table's rows."""

    row: Ints  # of the table
    pair: Ints  # place in the gold
    right: Bools  # the grade is accepted there


def gold_accuracy(table: JudgmentTable, gold: Gold, scale: Scale) -> Accuracy:
    """Accuracy over all gold pairs, whoever they were planted for.

    Of each person and gold pair one judgment is scored: first reading, the last revision before any feedback on it. It
    is right iff its grade is in the pair's accepted set. "Cannot judge" is not scored, nor are surplus judgments,
    attention checks, qualification and people who could see the gold. Exclusions play no part: an excluded person keeps
    a figure.
    """
    scored, n_annotators = gold_scored(table, gold, scale), len(table.annotators)
    n_gold = tally(table.annotator[scored.row], n_annotators)
    n_correct = tally(table.annotator[scored.row[scored.right]], n_annotators)
    interval = wilson_interval(n_correct, n_gold)
    return Accuracy(n_gold, n_correct, divided(n_correct, n_gold), interval.low, interval.high)


def gold_scored(table: JudgmentTable, gold: Gold, scale: Scale) -> Scored:
    """The judgments that `gold_accuracy` is of."""
    gold.check(table)
    gold.check_scale(scale)
    of_gold, gold_index = table.rows_among(table.keys_of(gold))
    index, is_gold = np.zeros(len(table), dtype=np.int64), np.zeros(len(table), dtype=np.bool_)
    index[of_gold], is_gold[of_gold] = gold_index, True
    eligible = is_gold & (table.reading == 1) & table.blind & ~table.surplus & ~table.informed
    row = latest_grades(table, scale, eligible & ~np.isin(table.purpose, _APART))
    pair = index[row]
    return Scored(row, pair, gold.accepted[pair, scale.index_of(table.grade[row])])
