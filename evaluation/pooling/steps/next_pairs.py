"""What to judge next of stored runs against a snapshot, and a pool of it."""

from collections.abc import Sequence
from typing import TypedDict

from annotation.corpus.steps.pooling import create_pool
from annotation.formats.pairs import PairRow
from annotation.formats.problems import Problems
from annotation.models import Pool, Snapshot, User
from evaluation.engine.judge_next import JudgeNext, judge_next
from evaluation.leaderboard.read.evaluations import load_qrels
from evaluation.models import Run
from evaluation.runs.read import stored_run


class NextPairs(TypedDict):
    """What was asked: two runs to separate, or more, of which the best count."""

    snapshot: Snapshot
    runs: Sequence[Run]
    measure: str
    depth: int
    best: int
    pairs: int


def next_pairs(asked: NextPairs) -> JudgeNext:
    """As the command `judge_next` ranks them, grades up to the top of the snapshot's scale.

    Raises `ValueError` as `judge_next` does, and `PackedError` for a run whose file is of an older form.
    """
    snapshot = asked["snapshot"]
    return judge_next(
        [stored_run(run) for run in asked["runs"]],
        load_qrels(snapshot),
        asked["measure"],
        depth=asked["depth"],
        best=asked["best"],
        top=snapshot.scale.top if snapshot.scale else None,
        n=asked["pairs"],
    )


def create_pool_of_next(asked: NextPairs, *, name: str, created_by: User | None) -> Pool:
    """Of the pairs that `next_pairs` gives, in their order within each topic.

    Raises as `next_pairs` does; `FormatError` with the documents that the collection does not have, or where all is
    judged; `TakenError` for a name that was just taken.
    """
    ranked = next_pairs(asked)
    return create_pool(
        asked["snapshot"].collection,
        name=name,
        pairs=[PairRow(pair.number, pair.docno, 0) for pair in ranked.pairs],
        problems=Problems("the next pairs"),
        origin={
            "kind": "next",
            "runs": list(ranked.tags),
            "measure": ranked.measure,
            "depth": ranked.depth,
            "snapshot": asked["snapshot"].name,
        },
        created_by=created_by,
    )
