"""Scoring runs by several qrels over the same topics, some runs at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from annotation.models import Snapshot
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy as Parameters
from annotation.text.watch import Watch, say_nothing
from annotation.trust.read.comparison import ComparedPolicy, compare_on
from evaluation.accounting.steps.case_qrels import Case, policy_cases, snapshot_cases
from evaluation.engine.measures import parse_measure
from evaluation.engine.options import Options
from evaluation.engine.order_changes import compare_cases
from evaluation.engine.scorer import MeasureValues, evaluate_runs
from evaluation.formats.accounting import AccountingResult, RunShares
from evaluation.leaderboard.steps.evaluating import packed_run, run_portions
from evaluation.models import Run

NOTHING_SHARED = "These policies keep no pair, or none of a topic that they all keep something of: choose others."
TOP = 1  # of imported qrels without a scale, unless their grades go higher
SEED = 0  # of the sign vectors of the paired tests


@dataclass(frozen=True)
class AccountingRequest:
    """What runs, how deep to look for judged documents, by which measures; and where to compute."""

    runs: Sequence[Run]
    k: int
    measures: Sequence[str]
    device: str | None = None
    watch: Watch = say_nothing


def score_snapshot(snapshot: Snapshot, request: AccountingRequest) -> tuple[AccountingResult, dict[str, object]]:
    """The runs in the cases of the snapshot, and how many dropped pairs could be counted."""
    cases = snapshot_cases(snapshot)
    result = score_cases(cases.cases, request, top=snapshot.scale.top if snapshot.scale else TOP)
    return result, {"n_counted": cases.n_counted, "n_unjudged": cases.n_unjudged, "n_elsewhere": cases.n_elsewhere}


def score_policies(
    inputs: Inputs, policies: Mapping[str, Parameters], request: AccountingRequest
) -> tuple[AccountingResult, dict[str, object]]:
    """The runs under each policy, and facts about the policies.

    Raises `ValueError` where they keep no pair of a shared topic.
    """
    request.watch(0, 0, "Applying the policies")
    rows = compare_on(inputs, policies).rows
    cases = policy_cases({row.name: row.outcome for row in rows})
    if not cases:
        raise ValueError(NOTHING_SHARED)
    return score_cases(cases, request, top=inputs.scale.top), {"policies": [_facts(row) for row in rows]}


def score_cases(cases: Sequence[Case], request: AccountingRequest, *, top: int) -> AccountingResult:
    """Means are over all topics of the cases, a missing one counting 0; grades go to `top`, whatever the qrels have."""
    evaluated = _evaluated(cases, request, top)
    names, done = [case.name for case in cases], len(request.runs)
    measures = []
    for n, measure in enumerate(request.measures):
        request.watch(done + n, done + len(request.measures), f"Comparing by {measure}")
        measures.append(compare_cases(names, evaluated, measure, seed=SEED))
    return AccountingResult(
        k=request.k,
        n_topics=cases[0].qrels.n_topics,
        cases=tuple(names),
        n_pairs=tuple(int((case.qrels.grade >= 0).sum()) for case in cases),
        runs=tuple(_shares(each) for each in zip(*evaluated, strict=True)),
        measures=tuple(measures),
    )


def _evaluated(cases: Sequence[Case], request: AccountingRequest, top: int) -> list[list[MeasureValues]]:
    """Of each case, the runs by Judged@k, the number retrieved, and the measures asked for."""
    names = [f"Judged@{request.k}", "NumRet", *request.measures]
    measures = [parse_measure(name) for name in names]
    options = Options(max_grade=max(top, *(int(case.qrels.grade.max()) for case in cases)))
    evaluated: list[list[MeasureValues]] = [[] for _ in cases]
    for n, portion, message in run_portions(request.runs):
        request.watch(n, len(request.runs) + len(request.measures), message)
        packed = [packed_run(run) for run in portion]
        for evaluations, case in zip(evaluated, cases, strict=True):
            evaluations.extend(evaluate_runs(packed, case.qrels, measures, options=options, device=request.device))
    return evaluated


def _shares(cases: Sequence[MeasureValues]) -> RunShares:
    """Of one run, from the first two columns: the share judged in each case, and topics for which it found anything."""
    retrieved = float((cases[0].value[:, 1] > 0).mean())
    return RunShares(cases[0].tag, tuple(float(each.mean[0]) for each in cases), retrieved)


def _facts(row: ComparedPolicy) -> dict[str, object]:
    """What a page shows of a policy beside the values of runs."""
    kept = row.outcome.topic[row.outcome.kept]
    return {
        "name": row.name,
        "rule": row.rule,
        "kept": row.coverage.kept,
        "total": row.coverage.total,
        "n_pairs": row.outcome.n_kept,
        "n_topics": len(set(kept.tolist())),
        "n_right": row.gold.n_right,
        "n_gold": row.gold.n_kept,
        "interval": list(row.on_gold.interval) if row.gold.n_kept else None,
        "dropped": [asdict(reason) for reason in row.reasons],
    }
