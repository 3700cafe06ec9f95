"""Claim: every kind of change and all shares of 25 runs judged by 20 annotators take 5 seconds or less.

    python benchmarks/sensitivity.py [share of the topics]

50 topics of 100 documents, 20 annotators, 25 runs that rank the documents at random; nDCG@10, 1,000 draws. Three of the
twenty judge each document, with gold on a twentieth of them; or all twenty judge everything, so that one complete
annotator a topic can be drawn. Grades drawn from their probabilities come on top. Each in a process of its own: seconds
from judgments as arrays to the result, and the highest resident memory.
"""

import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotation.formats.text import Text
from annotation.quality.adjudications import no_adjudications
from annotation.quality.gold import gold_pairs
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy
from annotation.quality.scale import Scale
from annotation.quality.table import judgment_table
from evaluation.engine.measures import parse_measure
from evaluation.engine.run import PackedRun, RunPart, RunTable
from evaluation.engine.sensitivity.evidence import Evidence, Question
from evaluation.engine.sensitivity.judgments import judgments_of
from evaluation.engine.sensitivity.study import study

SEED, N_RUNS, N_DOCUMENTS, N_PEOPLE, AIM = 16, 25, 100, 20, 5.0
POLICY = Policy(accuracy_threshold=0.0, count_unproven=True, min_judgments=1, max_range=None)
SCALE = Scale((0, 1, 2, 3))


def inputs(n_topics: int, each: int, rng: np.random.Generator) -> Inputs:
    true = rng.integers(0, 4, (n_topics, N_DOCUMENTS))
    who = np.argsort(rng.random((*true.shape, N_PEOPLE)), axis=-1)[..., :each]
    grade = np.clip(true[..., None] + rng.integers(-1, 2, who.shape), 0, 3)
    topic, document, _ = np.indices(who.shape)
    table = judgment_table(
        number=[f"t{t}" for t in topic.ravel().tolist()],
        docno=[f"d{d}" for d in document.ravel().tolist()],
        annotator=[f"a{a}" for a in who.ravel().tolist()],
        grade=grade.ravel(),
    )
    known = [(t, d) for t in range(n_topics) for d in range(0, N_DOCUMENTS, 20)]
    gold = gold_pairs(
        table,
        number=[f"t{t}" for t, _ in known],
        docno=[f"d{d}" for _, d in known],
        grade=[int(true[t, d]) for t, d in known],
        scale=SCALE,
    )
    return Inputs(table, SCALE, gold, no_adjudications())


def run(tag: str, n_topics: int, rng: np.random.Generator) -> PackedRun:
    numbers = sorted((f"t{t}" for t in range(n_topics)), key=str.encode)
    docno = Text.of([f"d{d}" for _ in numbers for d in range(N_DOCUMENTS)])
    part = RunPart(
        np.arange(n_topics, dtype=np.int32),
        np.full(n_topics, N_DOCUMENTS, np.int64),
        docno,
        rng.normal(size=n_topics * N_DOCUMENTS),
    )
    return RunTable(tag, tuple(numbers), (part,)).packed


def measured(n_topics: int, each: int, anew: str) -> None:
    """Prints seconds and MB."""
    rng = np.random.default_rng(SEED)
    judged, runs = inputs(n_topics, each, rng), [run(f"r{n}", n_topics, rng) for n in range(N_RUNS)]
    begin = time.perf_counter()
    judgments = judgments_of(judged, POLICY)
    question = Question(measure=parse_measure("nDCG@10"), judgments_anew=anew)  # type: ignore[arg-type]
    studied = study(Evidence(runs=runs, pairs=judgments.pairs, judgments=judgments), question)
    seconds = time.perf_counter() - begin
    cases = sum(change.n_cases for change in studied.changes)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{each:2} judge each, {anew}: {seconds:.2f} s (aim {AIM:g}), {cases} cases, {memory:.0f} MB")


def main() -> None:
    if len(sys.argv) == 4:
        measured(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
        return
    n_topics = max(2, int(50 * float(sys.argv[1]))) if len(sys.argv) > 1 else 50
    print(f"{N_RUNS} runs, {n_topics} topics of {N_DOCUMENTS} documents, {N_PEOPLE} annotators")
    for each in (3, N_PEOPLE):
        for anew in ("annotators", "posterior"):
            subprocess.run([sys.executable, __file__, str(n_topics), str(each), anew], check=True)


if __name__ == "__main__":
    main()
