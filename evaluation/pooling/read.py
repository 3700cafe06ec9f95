"""Growing pools: their portions, what is judged of these, and the part of the pool that is a
sample. What to judge next of runs; replays."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np
from django.db.models import QuerySet

from annotation.gold.read.current import current_gold
from annotation.judging.read.pauses import current_exclusions
from annotation.kernel.visible import visible_judgments, visible_pools
from annotation.models import Annotator, Collection, Pool, PoolPair, Snapshot
from annotation.quality.purpose import CRITERION
from annotation.text.watch import Watch, say_nothing
from evaluation.engine.adaptive.candidates import UNJUDGED, Candidates, Choice, candidates_of
from evaluation.engine.adaptive.methods import METHODS, Method
from evaluation.engine.adaptive.stratified import stratified_order
from evaluation.engine.judge_next import JudgeNext, judge_next
from evaluation.leaderboard.read.evaluations import load_qrels
from evaluation.models import Evaluation, PoolingReplay, RankedPairs, Run
from evaluation.runs.read import stored_run

KIND = "adaptive"  # of a pool's origin
GROWING = ("depth", "rrf", "move-to-front", "max-mean", "stratified")  # what needs no regression to be read
Pair = tuple[str, str]  # topic number, docno
FORM = 1  # of ranked pairs as they are kept: a new one is ranked anew
AT_ONCE, MOST_READ = 2_000_000, 1_000_000  # judged documents that a page looks at, and rows of runs: some half a second


class GrowingError(Exception):
    """What was asked cannot be had of the pool; the message says why."""


@dataclass(frozen=True)
class Growth:
    """How a growing pool came about, as its `origin` keeps it. A portion is one pool; `n` counts them from 1."""

    series: str
    n: int
    method: str
    runs: tuple[str, ...]  # tags
    depth: int
    portion: int  # pairs
    rel: int
    seed: int
    topics: tuple[str, ...]
    renew: bool  # the worker makes the next portion once this one is judged
    n_pool: int = 0  # pairs of the whole pool
    n_judged: int = 0  # pairs that were judged when this portion was chosen

    @property
    def way(self) -> Method:
        return METHODS[self.method]

    def choice(self, top: int) -> Choice:
        return Choice(seed=self.seed, rel=self.rel, top=top)

    def to_origin(self) -> dict[str, Any]:
        fields = {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}
        return {"kind": KIND, **fields}


@dataclass(frozen=True)
class PoolProgress:
    """How far a growing pool is; `chosen` are the pairs of its portions."""

    growth: Growth
    portions: list[Pool]
    chosen: frozenset[Pair]
    judged: Mapping[Pair, int]

    @property
    def n_waiting(self) -> int:
        return len(self.chosen) - len(self.judged)

    @property
    def n_left(self) -> int:
        return self.growth.n_pool - len(self.chosen)


def growth_of(pool: Pool) -> Growth:
    """Raises `GrowingError` for a pool that does not grow."""
    if pool.origin.get("kind") != KIND:
        raise GrowingError(f"The pool {pool.name} does not grow: it was not made by a method that goes on.")
    entries = {name: value for name, value in pool.origin.items() if name in Growth.__dataclass_fields__}
    fields: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in entries.items()}
    return Growth(**fields)


def portions_of(collection: Collection, series: str) -> list[Pool]:
    """In their order."""
    pools = visible_pools(collection).filter(origin__kind=KIND, origin__series=series)
    return sorted(pools, key=lambda pool: int(pool.origin["n"]))


def growing_pools() -> QuerySet[Pool]:
    """All portions that there are whose pool the worker sees to."""
    return Pool.objects.filter(origin__kind=KIND, origin__renew=True).select_related("collection")


def candidates_for(collection: Collection, growth: Growth) -> Candidates:
    """The pool as it is as a whole. Raises `GrowingError` where a run is gone, and `ValueError`, `PackedError`."""
    here = {run.tag: run for run in Run.objects.filter(collection=collection, tag__in=growth.runs)}
    if lost := [tag for tag in growth.runs if tag not in here]:
        raise GrowingError(f"The run {lost[0]} is not there any more.")
    return candidates_of([stored_run(here[tag]) for tag in growth.runs], depth=growth.depth, numbers=growth.topics)


def progress_of(pool: Pool) -> PoolProgress:
    """Raises as `growth_of` does."""
    growth = growth_of(pool)
    portions = portions_of(pool.collection, growth.series)
    pairs = PoolPair.objects.filter(pool__in=portions).values_list("topic__number", "document__docno")
    chosen = frozenset(pairs)
    grades = judged_grades(pool.collection, portions) | _gold_grades(pool.collection)
    return PoolProgress(growth, portions, chosen, {pair: grade for pair, grade in grades.items() if pair in chosen})


def judged_grades(collection: Collection, portions: Sequence[Pool]) -> dict[Pair, int]:
    """Of pairs judged in batches of these pools: the median of people's last grades, rounded down at a half.

    It decides what comes next, and measures nothing: no policy is asked, only excluded people and machine judges are
    left out, and grades outside the scale.
    """
    excluded = current_exclusions(collection).keys()
    rows = (
        visible_judgments(collection)
        .filter(batch__pool__in=portions, criterion=CRITERION, assignment__reading=1)
        .exclude(annotator__kind=Annotator.Kind.MACHINE)
        .order_by("assignment", "revision")
        .values_list("assignment", "topic__number", "document__docno", "annotator__pseudonym", "grade")
    )
    last = {assignment: (number, docno, grade) for assignment, number, docno, who, grade in rows if who not in excluded}
    grades, top = defaultdict[Pair, list[int]](list), top_of(collection)
    for number, docno, grade in last.values():
        if 0 <= grade <= top:
            grades[number, docno].append(grade)
    return {pair: int(np.median(of)) for pair, of in grades.items()}


def _gold_grades(collection: Collection) -> dict[Pair, int]:
    """Of gold: a batch lays it out as gold alone, so that a pool which waited for its judgments could wait for ever."""
    rows = current_gold(collection, CRITERION, scale=collection.scale)
    return {
        (number, docno): grade or 0
        for number, docno, grade in rows.values_list("topic__number", "document__docno", "grade")
    }


def top_of(collection: Collection) -> int:
    """The top grade of the scale in force; 1 where there is none."""
    return collection.scale.top if collection.scale else 1


def next_portion(collection: Collection, progress: PoolProgress) -> list[Pair]:
    """The pairs that the method chooses next, the most useful first; none where the whole pool is chosen."""
    growth = progress.growth
    candidates = candidates_for(collection, growth)
    names = candidates.named_pairs()
    chosen = np.array([pair in progress.chosen for pair in names])
    grade = np.array([progress.judged.get(pair, UNJUDGED) for pair in names])
    if growth.way.is_sample:
        grade = np.where(chosen, 0, UNJUDGED)  # a sample goes on whatever the grades
    else:
        candidates = candidates.without_pairs(chosen & (grade == UNJUDGED))  # these wait for their judgment
    rows = growth.way.choose(candidates, grade, growth.portion, growth.choice(top_of(collection)))
    return [names[row] for row in rows.tolist()]


def sample_rows(pool: Pool, snapshot: Snapshot) -> tuple[list[tuple[str, str, str, int]], int]:
    """`(rows, missing)`: number, docno, stratum and grade of the whole pool, −1 where a pair is not in the sample; how
    many pairs of the sample the snapshot does not judge.

    Raises `GrowingError` for a pool that is no random sample: its judgments have no inclusion probabilities.
    """
    growth = growth_of(pool)
    if not growth.way.is_sample:
        raise GrowingError(
            f"The pool {growth.series} was chosen by {growth.way.title}, which is no random sample: its judgments have "
            "no inclusion probabilities, and feed neither statAP nor xinfAP nor infNDCG."
        )
    progress = progress_of(pool)
    candidates = candidates_for(pool.collection, growth)
    stratum = stratified_order(candidates, growth.choice(1)).stratum
    by_pair = load_qrels(snapshot).grade_by_pair()
    names = candidates.named_pairs()
    grade = [by_pair.get(pair, UNJUDGED) if pair in progress.chosen else UNJUDGED for pair in names]
    rows = [(*pair, f"s{at}", one) for pair, at, one in zip(names, stratum.tolist(), grade, strict=True)]
    return rows, len(progress.chosen) - sum(one >= 0 for one in grade)


class NextPairs(TypedDict):
    """What was asked: two runs to separate, or more, of which the best count."""

    snapshot: Snapshot
    runs: Sequence[Run]
    measure: str
    depth: int
    best: int
    pairs: int


def key_of(asked: NextPairs) -> str:
    """Of the files and the question: two runs in their order, of more the same in any."""
    runs = [(run.tag, run.sha256) for run in asked["runs"]]
    how = [asked["measure"], asked["depth"], asked["best"], asked["pairs"]]
    parts = [FORM, asked["snapshot"].qrels_sha256, runs if len(runs) == 2 else sorted(runs), how]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def kept_pairs(asked: NextPairs) -> RankedPairs | None:
    return RankedPairs.objects.filter(snapshot=asked["snapshot"], key=key_of(asked)).first()


def takes_long(asked: NextPairs) -> bool:
    """Even to see which runs are the best."""
    return len(asked["runs"]) > 2 and sum(run.n_rows for run in asked["runs"]) > MOST_READ


def ranked_pairs(asked: NextPairs, *, most_rows: int, watch: Watch = say_nothing) -> JudgeNext:
    """Grades up to the top of the snapshot's scale. Raises as `judge_next` does, and `PackedError` for a run whose file
    is of an older form."""
    snapshot = asked["snapshot"]
    return judge_next(
        [stored_run(run) for run in asked["runs"]],
        load_qrels(snapshot),
        asked["measure"],
        depth=asked["depth"],
        best=asked["best"],
        top=snapshot.scale.top if snapshot.scale else None,
        n=asked["pairs"],
        most_rows=most_rows,
        watch=watch,
    )


def replays_of(collection: Collection) -> QuerySet[PoolingReplay]:
    """The newest first."""
    replays = PoolingReplay.objects.filter(collection=collection).select_related("snapshot")
    return replays.order_by("-made_at", "-pk")


def are_evaluated(snapshot: Snapshot, tags: Sequence[str], measure: str) -> bool:
    """Whether all of these runs have values by the measure, so that they can be compared."""
    evaluations = Evaluation.objects.filter(snapshot=snapshot, run__tag__in=tags, averaging="complete")
    return sum(measure in each for each in evaluations.values_list("measures", flat=True)) == len(tags)
