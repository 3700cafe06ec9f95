"""The worked campaign frozen, with runs that its dropped pairs put in another order; what is said of it by hand."""

import math
from dataclasses import dataclass

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Job, Snapshot
from annotation.trust.read.policies import unsaved_default
from annotation.trust.steps.snapshots import freeze_snapshot
from evaluation.accounting.steps.requests import ask_accounting
from evaluation.models import Run
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_run

# The default policy keeps d1 as 3 and d2 as 2, and drops d3 (0 and 2, too far apart), d4 (one reliable 4) and d5 (two
# unreliable 1); added here: d6, which nobody judged, and d7 of topic 2, of which nothing is kept.
AS_IS = {"d1": 3, "d2": 2}
COUNTED = {
    "0": {"d3": 0, "d4": 0, "d5": 0},
    "median": {"d3": 1, "d4": 4, "d5": 1},
    "maximum": {"d3": 2, "d4": 4, "d5": 1},
}
RANKED = {"keen": ["d4", "d3", "d1"], "plain": ["d1", "d8", "d2"], "short": ["d5"]}  # of topic 1; of g nothing
MEASURES = ["nDCG@3", "P@2", "AP", "bpref"]


@dataclass(frozen=True)
class Accountable:
    worked: Worked
    snapshot: Snapshot
    runs: list[Run]


def make_accountable() -> Accountable:
    worked = make_worked()
    worked.add_item("d6")
    worked.add_item("d7", number="2")
    worked.judge("d7", "Cedar", 3)
    policy = unsaved_default(worked.collection)
    snapshot = freeze_snapshot(worked.collection, name="first", batches=[worked.batch], policy=policy, created_by=None)
    return Accountable(worked, snapshot, [make_run(worked.collection, run_text(tag)) for tag in RANKED])


def run_text(tag: str) -> str:
    return "".join(f"1 Q0 {docno} {rank} {10 - rank} {tag}\n" for rank, docno in enumerate(RANKED[tag], 1))


def work() -> Job:
    claimed = claim_job()
    assert claimed is not None
    return run_job(claimed)


def account(campaign: Accountable, *, k: int = 3, measures: list[str] = MEASURES) -> Job:
    ask_accounting(campaign.snapshot, campaign.runs, k=k, measures=measures, created_by=None)
    return work()


def by_hand(tag: str, case: str, measure: str) -> float:
    """The mean in a case of the snapshot."""
    return mean_of(tag, AS_IS | COUNTED.get(case, {}), measure)


def mean_of(tag: str, grades: dict[str, int], measure: str) -> float:
    """Over the two topics, of which the run has one; `grades` are of that one."""
    return {"nDCG@3": _ndcg, "P@2": _precision, "AP": _ap, "bpref": _bpref}[measure](RANKED[tag], grades) / 2


def _ndcg(ranked: list[str], grades: dict[str, int]) -> float:
    def dcg(grades: list[int]) -> float:
        return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades[:3], 1))

    return dcg([grades.get(docno, 0) for docno in ranked]) / dcg(sorted(grades.values(), reverse=True))


def _precision(ranked: list[str], grades: dict[str, int]) -> float:
    return sum(grades.get(docno, 0) > 0 for docno in ranked[:2]) / 2


def _ap(ranked: list[str], grades: dict[str, int]) -> float:
    relevant = [grades.get(docno, 0) > 0 for docno in ranked]
    precisions = [sum(relevant[:rank]) / rank for rank, is_relevant in enumerate(relevant, 1) if is_relevant]
    return sum(precisions) / sum(grade > 0 for grade in grades.values())


def _bpref(ranked: list[str], grades: dict[str, int]) -> float:
    """Each relevant document found, less the share of judged ones that are not relevant above it."""
    n_relevant = sum(grade > 0 for grade in grades.values())
    n_other = len(grades) - n_relevant
    total, above = 0.0, 0
    for docno in ranked:
        if grades.get(docno, 0) > 0:
            total += 1 - min(above, n_relevant) / min(n_relevant, n_other) if n_other else 1
        elif docno in grades:
            above += 1
    return total / n_relevant
