"""The qrels that runs are scored by: a snapshot's with its dropped pairs counted, or those of several policies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor

import numpy as np

from annotation.formats.problems import Problems
from annotation.formats.qrels import QrelsTable, parse_qrels
from annotation.formats.snapshot_jsonl import DroppedPair
from annotation.models import Snapshot
from annotation.quality.outcome import Outcome
from annotation.quality.scale import Scale
from annotation.trust.read.dropped import DroppedPairs
from annotation.trust.read.snapshots import frozen_outcome, qrels_path
from evaluation.engine.qrels import Qrels

AS_IS, ZERO, MEDIAN, MAXIMUM = "as is", "0", "median", "maximum"


@dataclass(frozen=True)
class Case:
    name: str
    qrels: Qrels


@dataclass(frozen=True)
class SnapshotCases:
    """As the snapshot stands, then its dropped pairs counted as 0, their median, their maximum; imported qrels have
    the first alone. Of the dropped pairs some cannot be counted: `n_unjudged` have no judgment that counts,
    `n_elsewhere` are of topics that the snapshot lacks, which would change over what means are taken."""

    cases: list[Case]
    n_counted: int = 0
    n_unjudged: int = 0
    n_elsewhere: int = 0


def snapshot_cases(snapshot: Snapshot) -> SnapshotCases:
    """From the files of the snapshot alone: nothing that was judged since changes them."""
    table, outcome = _table_of(snapshot), frozen_outcome(snapshot)
    as_is = Case(AS_IS, Qrels.of_table(table))
    if outcome is None or snapshot.scale is None:
        return SnapshotCases([as_is])
    scale = Scale(tuple(int(each["grade"]) for each in snapshot.scale.grades))
    dropped = list(DroppedPairs(outcome))
    judged = [pair for pair in dropped if pair.n_judgments]
    counted = [pair for pair in judged if pair.number in set(table.numbers)]
    grades = {
        ZERO: [0 for _ in counted],
        MEDIAN: medians(counted, scale),
        MAXIMUM: [pair.max or 0 for pair in counted],
    }
    cases = [as_is, *(Case(name, _with(table, counted, grade)) for name, grade in grades.items())]
    return SnapshotCases(cases, len(counted), len(dropped) - len(judged), len(judged) - len(counted))


def medians(pairs: Iterable[DroppedPair], scale: Scale) -> list[int]:
    """As the default policy takes them: halves go down, and between two grades down to the lower one."""
    median = scale.at_most(np.array([floor(pair.median or 0) for pair in pairs], dtype=np.int64))
    return [int(grade) for grade in median]


def policy_cases(outcomes: Mapping[str, Outcome]) -> list[Case]:
    """What each policy keeps, in the topics of which all of them keep something; a policy that keeps nothing is left
    out. None where they share no topic. The outcomes are of the same judgments."""
    outcomes_kept = {name: outcome for name, outcome in outcomes.items() if outcome.n_kept}
    topics = [set(outcome.topic[outcome.kept].tolist()) for outcome in outcomes_kept.values()]
    shared = set.intersection(*topics) if topics else set()
    return [Case(name, _kept(outcome, shared)) for name, outcome in outcomes_kept.items()] if shared else []


def _kept(outcome: Outcome, topics: set[int]) -> Qrels:
    at = np.flatnonzero(outcome.kept & np.isin(outcome.topic, sorted(topics)))
    numbers = [outcome.table.numbers[t] for t in outcome.topic[at].tolist()]
    docnos = [outcome.table.docnos[d] for d in outcome.document[at].tolist()]
    return Qrels.of(numbers, docnos, outcome.grade[at])


def _table_of(snapshot: Snapshot) -> QrelsTable:
    with qrels_path(snapshot).open("rb") as stream:
        return parse_qrels(stream, Problems(snapshot.name))


def _with(table: QrelsTable, pairs: Sequence[DroppedPair], grade: Sequence[int]) -> Qrels:
    return Qrels.of(
        [*table.number, *(pair.number for pair in pairs)],
        [*table.docno, *(pair.docno for pair in pairs)],
        np.concatenate([table.grade, np.array(grade, dtype=np.int64)]),
    )
