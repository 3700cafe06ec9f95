"""What to judge next: unjudged pairs by how much a judgment of each would change how runs stand to each other."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from annotation.text.watch import Watch, say_nothing
from evaluation.engine.adaptive.candidates import UNJUDGED, Candidates, candidates_of, known_grades
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.backend import backend_for
from evaluation.engine.lookup import Lookup, look_up
from evaluation.engine.measures import Measure, parse_measure
from evaluation.engine.options import DEFAULT_OPTIONS
from evaluation.engine.qrels import Qrels
from evaluation.engine.rankings import rankings_of
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import evaluate_runs

SMOOTHING = 10.0  # judgments that the shares of grades over all topics count as, in each topic
MOST_ROWS = 600_000_000  # judged documents that are looked at: some minutes
PORTION = 1_000_000  # of these at once
DEPTH, BEST, PAIRS, MOST_RUNS = 10, 5, 50, 20  # pairs: as many as commands and pages give at first


class TooMuchError(ValueError):
    """More would be looked at than was allowed."""


@dataclass(frozen=True)
class NextPair:
    """An unjudged pair. Changes are of the difference of means; over several pairs of runs the sum, by their doubt."""

    number: str
    docno: str
    ranks: tuple[int | None, ...]  # in each run; None below the depth
    expected: float  # change, over the grades it may have
    greatest: float  # change, of the grade that changes most
    changes: tuple[float, ...]  # of two runs: first minus second, at each grade from 0; else empty


@dataclass(frozen=True)
class JudgeNext:
    """`pairs` those that change most first. Runs in the order given; of several, the best first."""

    measure: str
    tags: tuple[str, ...]
    mean: tuple[float, ...]
    doubts: tuple[float, ...]  # of pairs of runs in the order of `combinations`: how probable the wrong order is
    depth: int
    top: int
    n_topics: int
    n_unjudged: int  # pairs within the depth
    pairs: tuple[NextPair, ...] = field(repr=False)


def judge_next(
    runs: Sequence[PackedRun],
    qrels: Qrels,
    measure: Measure | str,
    *,
    depth: int = DEPTH,
    best: int = BEST,
    top: int | None = None,
    n: int | None = None,
    most_rows: int = MOST_ROWS,
    watch: Watch = say_nothing,
) -> JudgeNext:
    """The unjudged pairs within the depth of the runs, ranked: of two runs to separate them, of more to settle which of
    the `best` ones by the measure is best.

    A pair gets each grade g from 0 to `top` (that of the qrels if not given), all else staying as it is; Δ(g) is the
    change of a run's value in the topic, over the number of topics. Expected change: Σ over pairs of runs of
    doubt · Σ p(g) |Δ₁(g) − Δ₂(g)|; greatest: the same with the greatest |Δ₁(g) − Δ₂(g)|. p(g) = (n(g) + 10 P(g)) /
    (n + 10), n(g) the topic's judged pairs of the grade, P their shares over all topics, each grade counted once more.
    Doubt: Φ(−|mean difference| / its standard error over topics); two runs go without. Equal pairs by topic and docno.
    A topic that a run lacks counts 0. Any measure whose summary is a mean will do. `watch` is told of runs and topics.

    Raises `ValueError` for fewer than two runs, a measure of no mean, no topic that a run has; `TooMuchError` where
    more than `most_rows` judged documents would be looked at: each pair with each grade, beside all of its topic.
    After Carterette, Allan and Sitaraman, Minimal test collections for retrieval evaluation, SIGIR 2006.
    """
    chosen = parse_measure(measure) if isinstance(measure, str) else measure
    if chosen.summary != "mean" or not chosen.is_quality:
        raise ValueError(f"{chosen} puts runs in no order by its mean")
    runs, value = _best_of(runs, qrels, chosen, best)
    top = max(int(qrels.grade.max()), top or 1)
    candidates = _unjudged(runs, qrels, depth)
    doubts = _doubts(value)
    ranked = []
    if candidates:
        _require_few(runs, qrels, candidates, top, most_rows)
        ranked = _ranked(runs, qrels, candidates, chosen, doubts=doubts, top=top, watch=watch)
    return JudgeNext(
        measure=str(chosen),
        tags=tuple(run.tag for run in runs),
        mean=tuple(value.mean(axis=0).tolist()),
        doubts=doubts,
        depth=depth,
        top=top,
        n_topics=qrels.n_topics,
        n_unjudged=len(ranked),
        pairs=tuple(ranked[:n]),
    )


def _best_of(runs: Sequence[PackedRun], qrels: Qrels, measure: Measure, best: int) -> tuple[list[PackedRun], Floats]:
    """Two runs as they are, of more the best ones in their order; with their values, (n_topics, n_runs)."""
    if len(runs) < 2:
        raise ValueError("two runs or more are set beside each other")
    if not 2 <= best <= MOST_RUNS:
        raise ValueError(f"the best 2 to {MOST_RUNS} runs are looked at, not {best}")
    evaluations = evaluate_runs(runs, qrels, [measure])
    order = list(range(len(runs)))
    if len(runs) > 2:
        order = sorted(order, key=lambda run: (-evaluations[run].mean[0], runs[run].tag))[:best]
    return [runs[run] for run in order], np.stack([evaluations[run].value[:, 0] for run in order], axis=1)


def _unjudged(runs: Sequence[PackedRun], qrels: Qrels, depth: int) -> Candidates | None:
    """What is within the depth of a run and has no grade; None where there is nothing."""
    candidates = candidates_of(runs, depth=depth, numbers=qrels.numbers)
    unjudged = known_grades(candidates, qrels) < 0
    return candidates.rows(unjudged) if unjudged.any() else None


def _require_few(runs: Sequence[PackedRun], qrels: Qrels, candidates: Candidates, top: int, most_rows: int) -> None:
    """Of each candidate's topic all pairs, judged ones and candidates, once a grade and run."""
    topic_by_number = {number: t for t, number in enumerate(qrels.numbers)}
    n_judged = np.diff(qrels.start)[[topic_by_number[number] for number in candidates.numbers]]
    n_new = np.diff(candidates.start)
    if len(runs) * (top + 1) * int((n_new * (n_judged + n_new)).sum()) > most_rows:
        raise TooMuchError("too much to look at: take fewer runs or a smaller depth")


def _doubts(value: Floats) -> tuple[float, ...]:
    """How probable the wrong order of each two runs is, by a normal distribution of their mean difference."""
    doubts = []
    for first, second in combinations(value.T, 2):
        difference = first - second
        error = float(difference.std(ddof=1)) / math.sqrt(difference.size) if difference.size > 1 else math.inf
        size = abs(float(difference.mean()))
        doubts.append(0.5 * math.erfc(size / error / math.sqrt(2)) if error > 0 else (0.0 if size else 0.5))
    return tuple(doubts)


def _ranked(
    runs: Sequence[PackedRun],
    qrels: Qrels,
    candidates: Candidates,
    measure: Measure,
    *,
    doubts: Sequence[float],
    top: int,
    watch: Watch,
) -> list[NextPair]:
    """All candidates, those that change most first."""
    changes = _changes(runs, qrels, candidates, measure, top=top, watch=watch)
    first, second = np.triu_indices(len(runs), 1)
    difference = changes[:, first] - changes[:, second]  # (n_pairs, pairs of runs, n_grades)
    weight = np.array(doubts if len(runs) > 2 else [1.0])
    size = np.abs(difference) * weight[:, None]
    expected = (size.sum(axis=1) * _chances(qrels, candidates, top)).sum(axis=1)
    greatest = size.max(axis=2).sum(axis=1)
    pairs = [
        NextPair(
            number=candidates.numbers[candidates.topic[at]],
            docno=candidates.docno[at],
            ranks=tuple(int(rank) or None for rank in candidates.rank[at]),
            expected=float(expected[at]),
            greatest=float(greatest[at]),
            changes=tuple(difference[at, 0].tolist()) if len(runs) == 2 else (),
        )
        for at in range(len(candidates))
    ]
    return sorted(pairs, key=lambda pair: (-pair.expected, -pair.greatest, pair.number.encode(), pair.docno.encode()))


def _chances(qrels: Qrels, candidates: Candidates, top: int) -> Floats:
    """How probable each grade is, from what is judged of the topic and of all. (n_pairs, n_grades)"""
    judged = qrels.grade >= 0
    grade, topic = qrels.grade[judged], qrels.topic[judged]
    shares = (np.bincount(grade, minlength=top + 1) + 1.0) / (grade.size + top + 1)
    counts = np.zeros((qrels.n_topics, top + 1))
    np.add.at(counts, (topic, grade), 1.0)
    by_topic = (counts + SMOOTHING * shares) / (counts.sum(axis=1, keepdims=True) + SMOOTHING)
    topic_by_number = {number: t for t, number in enumerate(qrels.numbers)}
    chances: Floats = by_topic[[topic_by_number[candidates.numbers[t]] for t in candidates.topic.tolist()]]
    return chances


def _changes(
    runs: Sequence[PackedRun], qrels: Qrels, candidates: Candidates, measure: Measure, *, top: int, watch: Watch
) -> Floats:
    """Of each run's mean, for each grade that a pair may have: (n_pairs, n_runs, n_grades)."""
    whole, of_candidate = _with_candidates(qrels, candidates)
    grade = np.append(qrels.grade, np.full(len(candidates), UNJUDGED))[whole.grade]
    change = np.zeros((len(candidates), len(runs), top + 1))
    n_topics = np.unique(candidates.topic).size
    indexed = replace(whole, grade=np.arange(whole.grade.size))
    for column, run in enumerate(runs):
        lookup = look_up(run, indexed, DEFAULT_OPTIONS, top)
        topics = _by_topic(lookup, whole, of_candidate)
        for done, (rows, of_topic) in enumerate(topics):
            watch(column * n_topics + done, len(runs) * n_topics, f"looking at {run.tag}")
            n_at_once = max(1, PORTION // ((top + 1) * (of_topic.pairs[1] - of_topic.pairs[0])))
            for some in np.split(rows, range(n_at_once, rows.size, n_at_once)):
                change[some, column] = _topic_changes(of_topic, grade, of_candidate[some], measure, top)
    return change / qrels.n_topics


def _with_candidates(qrels: Qrels, candidates: Candidates) -> tuple[Qrels, Ints]:
    """The pairs of both, their grades being places (those of the qrels first); which of them each candidate is."""
    before, more = qrels.named_pairs(), candidates.named_pairs()
    row = {pair: at for at, pair in enumerate(before)}
    pairs = before + more
    # A pair of a negative grade is in the qrels already, and gives its place to the candidate.
    keep = np.ones(len(pairs), bool)
    keep[[row[pair] for pair in more if pair in row]] = False
    left = np.flatnonzero(keep)
    whole = Qrels.of([pairs[at][0] for at in left], [pairs[at][1] for at in left], np.arange(left.size))
    whole = replace(whole, grade=left[whole.grade])
    at = np.full(len(pairs), -1)
    at[whole.grade] = np.arange(left.size)
    return whole, at[qrels.grade.size :]


def _by_topic(lookup: Lookup, whole: Qrels, of_candidate: Ints) -> Iterator[tuple[Ints, "_Topic"]]:
    """The candidates of each topic that the run has, and what the run has of it."""
    topic = whole.topic[of_candidate]
    begin = np.searchsorted(lookup.topic, np.arange(whole.n_topics + 1))
    for t in np.unique(topic).tolist():
        if lookup.in_run[t]:
            rows = slice(int(begin[t]), int(begin[t + 1]))
            pairs = (int(whole.start[t]), int(whole.start[t + 1]))
            yield (
                np.flatnonzero(topic == t),
                _Topic(lookup.rank[rows], lookup.grade[rows], pairs, int(lookup.n_retrieved[t])),
            )


@dataclass(frozen=True, eq=False)
class _Topic:
    rank: Ints  # (n_found,)
    pair: Ints  # (n_found,)
    pairs: tuple[int, int]  # the first pair of the topic, and the one behind its last
    n_retrieved: int


def _topic_changes(topic: _Topic, grade: Ints, candidate: Ints, measure: Measure, top: int) -> Floats:
    """Of the run's value, each candidate having each grade: as many topics that differ in one grade. (n, n_grades)"""
    first, end = topic.pairs
    n = 1 + candidate.size * (top + 1)  # the first one as it is
    of_pairs = np.tile(grade[first:end], (n, 1))
    of_pairs[np.arange(1, n), np.repeat(candidate - first, top + 1)] = np.tile(np.arange(top + 1), candidate.size)
    lookup = Lookup(
        in_run=np.ones(n, bool),
        n_retrieved=np.full(n, topic.n_retrieved),
        topic=np.repeat(np.arange(n), topic.rank.size),
        rank=np.tile(topic.rank, n),
        grade=of_pairs[:, topic.pair - first].ravel(),
        row=np.zeros(n * topic.rank.size, np.int64),
        ideal_topic=np.repeat(np.arange(n), end - first),
        ideal_grade=-np.sort(-of_pairs, axis=1).ravel(),
        judged_row=np.zeros(0, np.int64),
    )
    value = measure.per_topic(rankings_of(lookup, DEFAULT_OPTIONS, top, backend_for(None)))
    change: Floats = (value[1:] - value[0]).reshape(candidate.size, top + 1)
    return change
