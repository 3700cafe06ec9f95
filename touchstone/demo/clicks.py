"""A log of clicks in the demo: users of the position-based model, made from the demo's own grades,
and a page that is read in the snippet."""

import io
from collections import Counter

import numpy as np

from annotation.models import Collection, Import, Snapshot, User
from evaluation.engine.clicks.models import PositionBased
from evaluation.engine.interleaving.drawing import rankings_of
from evaluation.models import Run
from evaluation.runs.read import stored_run
from evaluation.vectors.read import judged_pairs
from touchstone.demo.content import demo_grades
from touchstone.demo.importing import import_file

SEED, DEPTH, SHOWN = 20, 10, 150  # impressions of each ranking of a topic
NAME = "Simulated visitors"
HIGH = 3  # a position that is looked at often
READ_IN_THE_SNIPPET = 0.02  # how often a good page attracts that answers before it is opened


def bring_clicks(collection: Collection, admin: User) -> None:
    """Beside the first snapshot; every ranking was shown to as many."""
    snapshot = Snapshot.objects.filter(collection=collection).earliest("pk")
    import_file(
        collection,
        io.BytesIO(_log(snapshot)),
        kind=Import.Kind.CLICKS,
        filename="clicks.csv",
        admin=admin,
        name=NAME,
        snapshot=snapshot.name,
        attraction="pair",
        estimator="ips",
    )


def _log(snapshot: Snapshot) -> bytes:
    runs = [stored_run(run) for run in Run.objects.filter(collection=snapshot.collection).order_by("tag")]
    numbers = [number for number in runs[0].numbers if all(number in run.numbers for run in runs)]
    shown = [
        (number, docno, at)
        for number in numbers
        for ranking in rankings_of(runs, number, DEPTH)
        for at, docno in enumerate(ranking, 1)
    ]
    model, rng = PositionBased(), np.random.default_rng(SEED)
    attracts, looks = _attractions(model, snapshot, shown), model.examination(DEPTH)
    rows = [
        f"{number},{docno},{at},{rng.binomial(SHOWN, looks[at - 1] * attracts[number, docno])},{SHOWN}\n"
        for number, docno, at in shown
    ]
    return "".join(["number,docno,position,clicks,impressions\n", *rows]).encode()


def _attractions(
    model: PositionBased, snapshot: Snapshot, shown: list[tuple[str, str, int]]
) -> dict[tuple[str, str], float]:
    """How often each page attracts once it is looked at: by its true grade, but for one of the best that were judged
    and stand high, of the topic that has most of these."""
    true = {(row.number, row.docno): max(0, row.grade) for row in demo_grades()}
    by_grade = model.attractiveness(max(true.values()))
    attracts = {(number, docno): float(by_grade[true.get((number, docno), 0)]) for number, docno, _ in shown}
    high = {(number, docno) for number, docno, at in shown if at <= HIGH}
    judged = [(number, docno, grade) for number, docno, grade in judged_pairs(snapshot) if (number, docno) in high]
    top = max(grade for *_, grade in judged)
    best = [(number, docno) for number, docno, grade in judged if grade == top]
    topic = Counter(sorted(number for number, _ in best)).most_common(1)[0][0]
    attracts[min(pair for pair in best if pair[0] == topic)] = READ_IN_THE_SNIPPET
    return attracts
