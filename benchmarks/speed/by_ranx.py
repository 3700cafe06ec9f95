"""Evaluate with ranx: `by_ranx.py OUT QRELS RUN …`. Its bpref is no number where no judged document is not relevant."""

import sys

import numpy as np
from ranx import Qrels, Run, evaluate

ASKED = (
    "ndcg@10", "ndcg@100", "ndcg", "map", "mrr", "precision@5", "precision@10", "precision@100", "recall@100",
    "recall@1000", "r-precision", "bpref",
)  # fmt: skip


def main(out: str, qrels: str, *runs: str) -> None:
    judged = Qrels.from_file(qrels, kind="trec")
    values = []
    for path in runs:
        run = Run.from_file(path, kind="trec")
        values_of = evaluate(judged, run, list(ASKED), return_mean=False, make_comparable=True)
        by_topic = dict(zip(judged.keys(), np.stack([values_of[name] for name in ASKED], axis=1), strict=True))
        values += [by_topic[number] for number in sorted(by_topic, key=str.encode)]
    np.save(out, np.array(values))


if __name__ == "__main__":
    main(*sys.argv[1:])
