"""Judgments of several annotators, and gold, from files alone: what a policy reads, without a collection."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import BinaryIO

import numpy as np

from annotation.formats.file_formats import recognise_format
from annotation.formats.gold import FORMATS as GOLD_FORMATS
from annotation.formats.gold import GoldRow
from annotation.formats.outside import FORMATS, OutsideJudgment
from annotation.formats.problems import Problems
from annotation.quality.adjudications import no_adjudications
from annotation.quality.gold import gold_pairs
from annotation.quality.inputs import Inputs
from annotation.quality.machines.split import Machines, parted
from annotation.quality.policy import Policy
from annotation.quality.scale import Scale
from annotation.quality.table import judgment_table

# Without gold nobody can be proven: everybody is believed, and nothing is filtered.
EVERYBODY = Policy(accuracy_threshold=0, count_unproven=True, min_judgments=1, max_range=None)
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def parse_annotators(stream: BinaryIO, problems: Problems) -> list[OutsideJudgment]:
    """Judgments in any format that imports read. Raises `FormatError`."""
    file_format, _ = recognise_format(FORMATS, stream, problems)
    rows = list(file_format.read(stream, problems, {}))
    problems.check()
    return rows


def parse_gold(stream: BinaryIO, problems: Problems) -> list[GoldRow]:
    """Gold in any format that imports read. Raises `FormatError`."""
    file_format, _ = recognise_format(GOLD_FORMATS, stream, problems)
    rows = list(file_format.read(stream, problems, {}))
    problems.check()
    return rows


def inputs_of(rows: Sequence[OutsideJudgment], gold: Sequence[GoldRow] = (), *, top: int | None = None) -> Inputs:
    """Of several judgments of one person on a pair the last counts: by their times where all of the file have one,
    else as in the file. Machine judges, whom the file calls so, stand apart.

    The scale goes from 0 to `top`, or to the highest grade there is; a grade outside is "cannot judge". Raises
    `ValueError` for no judgment, and for a scale of more than 11 grades.
    """
    if not rows:
        raise ValueError("there is no judgment")
    highest = max(1, *(row.grade for row in rows), *(row.grade for row in gold))
    scale = Scale(tuple(range((top or highest) + 1)))
    dated = all(row.at for row in rows)
    order = sorted(rows, key=lambda row: row.at or _NEVER) if dated else rows
    table, others = parted(
        judgment_table(
            number=[row.number for row in order],
            docno=[row.docno for row in order],
            annotator=[row.annotator for row in order],
            grade=np.array([row.grade for row in order], dtype=np.int64),
        ),
        {row.annotator for row in rows if row.is_machine},
    )
    return Inputs(
        table=table,
        scale=scale,
        gold=gold_pairs(
            table,
            number=[row.number for row in gold],
            docno=[row.docno for row in gold],
            grade=[row.grade for row in gold],
            accepted=[row.accepted for row in gold],
            scale=scale,
        ),
        adjudications=no_adjudications(),
        machines=None if others is None else Machines(others),
    )


def policy_for(inputs: Inputs) -> Policy:
    """The default policy where there is gold, else everybody is believed."""
    return Policy() if len(inputs.gold) else EVERYBODY
