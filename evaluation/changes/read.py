"""Two snapshots beside each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from annotation.kernel.store import path_of
from annotation.models import Snapshot
from annotation.quality.outcome import Outcome
from annotation.trust.pages.policies import parameters_in_words
from annotation.trust.read.snapshots import frozen_outcome, snapshots_of
from evaluation.engine.measures import is_quality, parse_measure
from evaluation.engine.order_changes import compare_cases
from evaluation.engine.qrels import Qrels
from evaluation.engine.qrels_changes import PairChange, QrelsChanges, qrels_changes
from evaluation.engine.scorer import MeasureValues, summarized
from evaluation.engine.values import load_values
from evaluation.formats.accounting import AccountingResult, RunShares
from evaluation.leaderboard.read.evaluations import evaluations_of, load_qrels
from evaluation.leaderboard.read.kept import kept

K = 10
JUDGED = f"Judged@{K}"
SEED = 0  # of the sign vectors of the paired tests
MOST_FIGURES = 100_000  # of effects that are kept: some 30 MB a process
NOT_LAID_OUT = "not in its batches"


@dataclass(frozen=True)
class Origin:
    """A thing that snapshots are made from, as it was for each, in words; empty where a snapshot has none."""

    what: str
    before: str
    after: str

    @property
    def is_same(self) -> bool:
        return self.before == self.after


@dataclass(frozen=True)
class SnapshotChanges:
    """`reasons`: why the one snapshot lacks a pair of the other's, by topic and docno; none for imported qrels.
    `effect`: the runs evaluated against both, over the topics that both have; None where there are none."""

    before: Snapshot
    after: Snapshot
    origins: Sequence[Origin]
    pairs: QrelsChanges
    reasons: Mapping[tuple[str, str], str]
    effect: AccountingResult | None

    def reason_of(self, pair: PairChange) -> str:
        return self.reasons.get((pair.number, pair.docno), "")


def earlier_snapshots(snapshot: Snapshot) -> list[Snapshot]:
    """Of its collection: those that share a batch with it, then the others, the newest first of each. The first is
    where it most likely came from."""
    earlier = list(snapshots_of(snapshot.collection).filter(pk__lt=snapshot.pk).prefetch_related("batches"))
    batches = set(snapshot.batches.all())
    return sorted(earlier, key=lambda each: batches.isdisjoint(each.batches.all()))


def snapshot_changes(before: Snapshot, after: Snapshot, *, averaging: str = "complete") -> SnapshotChanges:
    """From the files of both, and from what runs were evaluated to against them; nothing is scored."""
    qrels = load_qrels(before), load_qrels(after)
    pairs = qrels_changes(*qrels)
    outcomes = frozen_outcome(before), frozen_outcome(after)
    reasons = {
        **_reasons(outcomes[0], [pair for pair in pairs.changes if pair.before is None]),
        **_reasons(outcomes[1], [pair for pair in pairs.changes if pair.after is None]),
    }
    facts = _facts(before, outcomes[0]), _facts(after, outcomes[1])
    names = dict.fromkeys([*facts[0], *facts[1]])
    origins = [Origin(name, *(each.get(name, "") for each in facts)) for name in names]
    return SnapshotChanges(before, after, origins, pairs, reasons, _effect((before, after), qrels, averaging))


def _reasons(outcome: Outcome | None, missing: Sequence[PairChange]) -> dict[tuple[str, str], str]:
    if outcome is None or not missing:
        return {}
    why = {(each.number, each.docno): each.reason for each in outcome.dropped_pairs()}
    names = [(pair.number, pair.docno) for pair in missing]
    return {name: why.get(name, NOT_LAID_OUT) for name in names}


def _facts(snapshot: Snapshot, outcome: Outcome | None) -> dict[str, str]:
    """What it was made from, in the order in which a page shows it."""
    facts = {"Origin": snapshot.get_origin_display()}
    if outcome is None or snapshot.policy is None:
        return facts
    table, people = outcome.table, outcome.people
    excluded = [table.annotators[at] for at in np.flatnonzero(people.excluded).tolist()]
    return {
        **facts,
        "Batches": ", ".join(sorted(batch.name for batch in snapshot.batches.all())),
        "Scale": f"version {snapshot.scale.number}" if snapshot.scale else "",
        "Policy": str(snapshot.policy),
        **dict(parameters_in_words(outcome.policy)),
        "Judgments": f"{table.topic.size:,} of {len(table.annotators)} annotators",
        "Believed": f"{int(people.believed.sum())} annotators",
        "Excluded": ", ".join(sorted(excluded)) or "nobody",
        "Pairs with known grade": f"{int(outcome.gold.sum()):,}",
    }


def _effect(
    snapshots: tuple[Snapshot, Snapshot], qrels: tuple[Qrels, Qrels], averaging: str
) -> AccountingResult | None:
    """Of the runs that are evaluated against both."""
    stored = [evaluations_of(each.collection, snapshot=each, averaging=averaging) for each in snapshots]
    files = [{one.run.tag: one.sha256 for one in rows} for rows in stored]
    tags = sorted(files[0].keys() & files[1].keys())
    names = snapshots[0].name, snapshots[1].name
    numbers, result = _compared(names, *(tuple(here[tag] for tag in tags) for here in files)) if tags else (None, None)
    if numbers is None or result is None:
        return None
    return replace(result, n_pairs=tuple(_n_judged(each, numbers) for each in qrels))


class _Compared(NamedTuple):
    """`result` over these topics, without how many pairs are judged; None where they share no topic or measure."""

    numbers: frozenset[str]
    result: AccountingResult | None


def _n_figures(compared: _Compared) -> int:
    measures = compared.result.measures if compared.result else ()
    return sum(2 * len(each.mean[0]) + sum(len(change.swaps) for change in each.changes) for each in measures)


@kept(most=MOST_FIGURES, cells=_n_figures)  # all pairs of 25 runs by ten measures take two seconds of tests
def _compared(names: tuple[str, str], *files: tuple[str, ...]) -> _Compared:
    """By the measures that all these evaluations have, of which more is better; a file a run, of either snapshot."""
    cases = [[load_values(path_of(sha256)) for sha256 in each] for each in files]
    everything = [one for case in cases for one in case]
    numbers = frozenset.intersection(*(frozenset(one.numbers) for one in everything))
    measures = [name for name in everything[0].measures if all(name in one.measures for one in everything)]
    if not numbers or not measures:
        return _Compared(numbers, None)
    narrowed = [[_within(one, numbers, measures) for one in case] for case in cases]
    compared = [compare_cases(names, narrowed, name, seed=SEED) for name in measures if is_quality(name)]
    result = AccountingResult(
        k=K,
        n_topics=len(numbers),
        cases=names,
        n_pairs=(),
        runs=tuple(_shares(pair) for pair in zip(*narrowed, strict=True)),
        measures=tuple(compared),
    )
    return _Compared(numbers, result)


def _within(values: MeasureValues, numbers: frozenset[str], measures: Sequence[str]) -> MeasureValues:
    """Over these topics alone."""
    rows = [at for at, number in enumerate(values.numbers) if number in numbers]
    columns = [values.measures.index(name) for name in measures]
    value = values.value[np.ix_(rows, columns)]
    mean = summarized(value, [parse_measure(name) for name in measures])
    kept = tuple(values.numbers[at] for at in rows)
    return replace(values, numbers=kept, measures=tuple(measures), value=value, mean=mean)


def _shares(cases: Sequence[MeasureValues]) -> RunShares:
    """What of the run's tops is judged in each case; nothing where that was not evaluated."""
    judged = [float(one.mean[one.measures.index(JUDGED)]) if JUDGED in one.measures else 0.0 for one in cases]
    return RunShares(cases[0].tag, tuple(judged), max(judged))


def _n_judged(qrels: Qrels, numbers: frozenset[str]) -> int:
    topics = [at for at, number in enumerate(qrels.numbers) if number in numbers]
    return int((np.isin(qrels.topic, topics) & (qrels.grade >= 0)).sum())


def changed_lines(changes: SnapshotChanges) -> Iterator[tuple[str, str, int | None, int | None, str]]:
    """`(topic, docno, before, after, reason)` of each pair that changed."""
    for pair in changes.pairs.changes:
        yield pair.number, pair.docno, pair.before, pair.after, changes.reason_of(pair)
