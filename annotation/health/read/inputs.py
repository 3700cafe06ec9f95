"""The data of a batch, read once for all that its health page shows."""

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from annotation.batches.read.batches import MS_AN_HOUR
from annotation.formats.hours import DayOfWork
from annotation.kernel.judged.reading import read_judgments
from annotation.models import Batch
from annotation.quality.annotators.pace import Pace, pace_of
from annotation.quality.apply import apply_policy
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.counted import first_judgments
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import People
from annotation.quality.purpose import Purpose
from annotation.trust.read.judgments import kept_inputs
from annotation.trust.read.policies import default_policy, parameters_of

DAY = 86400  # seconds
SECOND = 1_000_000  # microseconds
EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, eq=False)
class BatchData:
    """`people` are as the newest default policy sees them, which `policy` names. `saved`, (n_table,): seconds since
    1970, 0 for judgments of other batches; `first`: which rows are first judgments of the batch; `early`,
    (n_annotators,): share of them before the minimum time."""

    batch: Batch
    inputs: Inputs
    people: People
    saved: Ints
    first: Bools
    early: Floats
    pace: Pace
    policy: str

    @property
    def moments(self) -> Ints:
        """Of the first judgments."""
        return self.saved[self.first]

    @property
    def has_times(self) -> bool:
        """Whether judgments came one after the other. What came in with a file may all bear the time of its import."""
        return len(self.moments) > 1 and bool(self.moments.min() < self.moments.max())


def read_batch(batch: Batch) -> BatchData:
    inputs = kept_inputs(batch.collection, [batch], batch.criterion)
    policy = default_policy(batch.collection)
    table = inputs.table
    saved, early = _moments(batch, table.sequence)
    first = first_judgments(table)
    n_annotators = len(table.annotators)
    n_first = np.bincount(table.annotator[first], minlength=n_annotators)
    n_early = np.bincount(table.annotator[first & early], minlength=n_annotators)
    share = np.full(n_annotators, np.nan)
    np.divide(n_early, n_first, out=share, where=n_first > 0)
    people = inputs.once(apply_policy, parameters_of(policy)).people
    return BatchData(batch, inputs, people, saved, first, share, inputs.once(pace_of), str(policy))


def days_worked(data: BatchData) -> list[DayOfWork]:
    """Per person and day (UTC), by day and pseudonym, of judgments in the batch; a revision counts its time only, where
    the day has the judgment already."""
    table, names = data.inputs.table, data.inputs.table.annotators
    row = np.flatnonzero(table.purpose != Purpose.ELSEWHERE)
    day = data.saved[row] // DAY
    n_people = max(len(names), 1)
    key, cell = np.unique(day * n_people + table.annotator[row], return_inverse=True)
    day_and_person = np.stack([key // n_people, key % n_people])
    n = np.bincount(_each_once(cell, table.pair[row], table.reading[row]), minlength=day_and_person.shape[1])
    active, wall = (
        np.bincount(cell, weights=np.maximum(ms[row], 0), minlength=day_and_person.shape[1]) / MS_AN_HOUR
        for ms in (table.active_ms, table.wall_ms)
    )
    return [
        DayOfWork(EPOCH + timedelta(days=int(day)), names[who], int(n[i]), float(active[i]), float(wall[i]))
        for i, (day, who) in enumerate(day_and_person.T)
    ]


def _each_once(cell: Ints, pair: Ints, reading: Ints) -> Ints:
    """The cells of all different combinations of the three, a cell for each."""
    order = np.lexsort((reading, pair, cell))
    columns = np.stack([cell, pair, reading])[:, order]
    is_new = np.append(True, (columns[:, 1:] != columns[:, :-1]).any(axis=0))[: len(order)]
    return np.asarray(columns[0][is_new])


def _moments(batch: Batch, sequence: Ints) -> tuple[Ints, Bools]:
    """When each row of the table was saved, and whether it was early; 0 and no for rows of other batches."""
    key, at, early = _times(batch)
    if not len(key):
        return np.zeros(len(sequence), dtype=np.int64), np.zeros(len(sequence), dtype=np.bool_)
    index = np.searchsorted(key, sequence).clip(max=len(key) - 1)
    here = key[index] == sequence
    return np.where(here, at[index], 0).astype(np.int64), here & early[index]


def _times(batch: Batch) -> tuple[Ints, Ints, Bools]:
    """Keys of the batch's judgments, ascending, their times and whether they were early, (n,) each."""
    column = read_judgments([batch.pk], ("saved", "early"), criterion=batch.criterion)
    return column["id"], column["saved"] // SECOND, column["early"]
