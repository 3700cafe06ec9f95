"""Scoring runs by several qrels over the same topics, some runs at a time."""

from collections.abc import Callable, Sequence

from evaluation.engine.cases import compare_cases
from evaluation.engine.measures import parse_measure
from evaluation.engine.options import Options
from evaluation.engine.scorer import Evaluation, evaluate_runs
from evaluation.formats.accounting import Accounted, RunShares
from evaluation.models import Run
from evaluation.workflow.accounting.cases import Case
from evaluation.workflow.evaluating import packed_run

TOGETHER = 20  # runs scored at once
SEED = 0  # of the sign vectors of the paired tests

Watch = Callable[[int, int, str], None]  # done, of how many, what is being done


def reckon(
    runs: Sequence[Run],
    cases: Sequence[Case],
    *,
    k: int,
    measures: Sequence[str],
    top: int,
    device: str | None = None,
    watch: Watch = lambda done, total, message: None,
) -> Accounted:
    """Means are over all topics of the cases, a missing one counting 0; grades go to `top`, whatever the qrels have."""
    names = [f"Judged@{k}", "NumRet", *measures]
    highest = max(top, *(int(case.qrels.grade.max()) for case in cases))
    total = len(runs) + len(measures)

    def scored(some: Sequence[Run], case: Case) -> list[Evaluation]:
        asked, options = [parse_measure(name) for name in names], Options(max_grade=highest)
        return evaluate_runs([packed_run(run) for run in some], case.qrels, asked, options=options, device=device)

    evaluated: list[list[Evaluation]] = [[] for _ in cases]
    for n in range(0, len(runs), TOGETHER):
        watch(n, total, f"Scoring {runs[n].tag}{' …' if len(runs) > n + 1 else ''}")
        for done, case in zip(evaluated, cases, strict=True):
            done.extend(scored(runs[n : n + TOGETHER], case))
    compared = []
    for n, measure in enumerate(measures):
        watch(len(runs) + n, total, f"Comparing by {measure}")
        compared.append(compare_cases([case.name for case in cases], evaluated, measure, seed=SEED))
    return Accounted(
        k=k,
        n_topics=cases[0].qrels.n_topics,
        cases=tuple(case.name for case in cases),
        n_pairs=tuple(int((case.qrels.grade >= 0).sum()) for case in cases),
        runs=tuple(_shares(each) for each in zip(*evaluated, strict=True)),
        measures=tuple(compared),
    )


def _shares(cases: Sequence[Evaluation]) -> RunShares:
    """Of one run, from the first two columns: the share judged in each case, and topics for which it found anything."""
    found = float((cases[0].value[:, 1] > 0).mean())
    return RunShares(cases[0].tag, tuple(float(each.mean[0]) for each in cases), found)
