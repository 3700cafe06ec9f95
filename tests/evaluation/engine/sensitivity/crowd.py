"""A small crowd for tests: what several annotators say of the same documents, and runs that rank these."""

from collections.abc import Sequence

import numpy as np

from annotation.quality.adjudications import no_adjudications
from annotation.quality.gold import gold_pairs
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable, judgment_table
from evaluation.engine.run import PackedRun
from evaluation.engine.sensitivity.judgments import Judgments, judgments_of
from tests.evaluation.engine.made import made_run

ALL = Policy(accuracy_threshold=0, count_unproven=True, min_judgments=1, max_range=None)
SCALE = Scale((0, 1, 2, 3))


def crowd(
    *, n_topics: int = 8, n_documents: int = 12, n_annotators: int = 4, each: int = 0, n_gold: int = 0, seed: int = 0
) -> Inputs:
    """All annotators judge every document, or `each` of them drawn; the first `n_gold` of a topic are gold."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 4, (n_topics, n_documents))
    rows = [
        (f"t{t}", f"d{d}", f"a{a}", int(np.clip(true[t, d] + rng.integers(-1, 2), 0, 3)))
        for t in range(n_topics)
        for d in range(n_documents)
        for a in (rng.permutation(n_annotators)[:each].tolist() if each else range(n_annotators))
    ]
    number, docno, annotator, grade = map(list, zip(*rows, strict=True))
    table = judgment_table(number=number, docno=docno, annotator=annotator, grade=grade)
    gold = [(f"t{t}", f"d{d}", int(true[t, d])) for t in range(n_topics) for d in range(n_gold)]
    return inputs_of(table, gold)


def inputs_of(table: JudgmentTable, gold: Sequence[tuple[str, str, int]] = ()) -> Inputs:
    number, docno = [pair[0] for pair in gold], [pair[1] for pair in gold]
    known = gold_pairs(table, number=number, docno=docno, grade=[pair[2] for pair in gold], scale=SCALE)
    return Inputs(table, SCALE, known, no_adjudications())


def runs(n_runs: int = 4, *, n_topics: int = 8, n_documents: int = 12, seed: int = 5) -> list[PackedRun]:
    """Documents in an order drawn at random."""
    scores = np.random.default_rng(seed).normal(size=(n_runs, n_topics, n_documents)).tolist()
    return [made_run({f"t{t}": _named(row) for t, row in enumerate(run)}, f"r{r}") for r, run in enumerate(scores)]


def judged(policy: Policy = ALL, **sizes: int) -> Judgments:
    return judgments_of(crowd(**sizes), policy)


def _named(row: list[float]) -> dict[str, float]:
    return {f"d{d}": score for d, score in enumerate(row)}
