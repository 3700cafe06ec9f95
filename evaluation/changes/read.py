"""Two snapshots beside each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.models import Snapshot
from annotation.quality.outcome import Outcome
from annotation.trust.pages.policies import parameters_in_words
from annotation.trust.read.snapshots import frozen_outcome, snapshots_of
from evaluation.engine.measures import is_quality, parse_measure
from evaluation.engine.order_changes import compare_cases
from evaluation.engine.qrels_changes import PairChange, QrelsChanges, qrels_changes
from evaluation.engine.scorer import MeasureValues, summarized
from evaluation.formats.accounting import AccountingResult, RunShares
from evaluation.leaderboard.read.evaluations import evaluations_of, load_qrels, values_of

K = 10
JUDGED = f"Judged@{K}"
SEED = 0  # of the sign vectors of the paired tests
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
    pairs = qrels_changes(load_qrels(before), load_qrels(after))
    outcomes = frozen_outcome(before), frozen_outcome(after)
    reasons = {
        **_reasons(outcomes[0], [pair for pair in pairs.changes if pair.before is None]),
        **_reasons(outcomes[1], [pair for pair in pairs.changes if pair.after is None]),
    }
    facts = _facts(before, outcomes[0]), _facts(after, outcomes[1])
    names = dict.fromkeys([*facts[0], *facts[1]])
    origins = [Origin(name, *(each.get(name, "") for each in facts)) for name in names]
    return SnapshotChanges(before, after, origins, pairs, reasons, _effect(before, after, averaging))


def _reasons(outcome: Outcome | None, missing: Sequence[PairChange]) -> dict[tuple[str, str], str]:
    if outcome is None or not missing:
        return {}
    why = {(each.number, each.docno): each.reason for each in outcome.dropped_pairs()}
    places = [(pair.number, pair.docno) for pair in missing]
    return {place: why.get(place, NOT_LAID_OUT) for place in places}


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


def _effect(before: Snapshot, after: Snapshot, averaging: str) -> AccountingResult | None:
    """By the measures that all these evaluations have, of which more is better."""
    collection = before.collection
    stored = [evaluations_of(collection, snapshot=each, averaging=averaging) for each in (before, after)]
    by_tag = [{one.run.tag: one for one in rows} for rows in stored]
    tags = sorted(by_tag[0].keys() & by_tag[1].keys())
    cases = [[values_of(here[tag]) for tag in tags] for here in by_tag]
    everything = [one for case in cases for one in case]
    if not everything:
        return None
    numbers = set.intersection(*(set(one.numbers) for one in everything))
    measures = [name for name in everything[0].measures if all(name in one.measures for one in everything)]
    if not numbers or not measures:
        return None
    narrowed = [[_within(one, numbers, measures) for one in case] for case in cases]
    names = before.name, after.name
    compared = [compare_cases(names, narrowed, name, seed=SEED) for name in measures if is_quality(name)]
    return AccountingResult(
        k=K,
        n_topics=len(numbers),
        cases=names,
        n_pairs=tuple(_n_judged(each, numbers) for each in (before, after)),
        runs=tuple(_shares(pair) for pair in zip(*narrowed, strict=True)),
        measures=tuple(compared),
    )


def _within(values: MeasureValues, numbers: set[str], measures: Sequence[str]) -> MeasureValues:
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


def _n_judged(snapshot: Snapshot, numbers: set[str]) -> int:
    qrels = load_qrels(snapshot)
    topics = [at for at, number in enumerate(qrels.numbers) if number in numbers]
    return int((np.isin(qrels.topic, topics) & (qrels.grade >= 0)).sum())


def changed_lines(changes: SnapshotChanges) -> Iterator[tuple[str, str, int | None, int | None, str]]:
    """`(topic, docno, before, after, reason)` of each pair that changed."""
    for pair in changes.pairs.changes:
        yield pair.number, pair.docno, pair.before, pair.after, changes.reason_of(pair)
