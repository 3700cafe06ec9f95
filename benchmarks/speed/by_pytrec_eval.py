"""Evaluate with pytrec_eval (trec_eval 9's code): `by_pytrec_eval.py OUT QRELS RUN …`."""

import sys
from pathlib import Path

import numpy as np
import pytrec_eval
from measures import NAMES

ASKED = {"ndcg_cut.10,100", "ndcg", "map", "recip_rank", "P.5,10,100", "recall.100,1000", "Rprec", "bpref"}


def main(out: str, qrels: str, *runs: str) -> None:
    with Path(qrels).open() as stream:
        judged = pytrec_eval.parse_qrel(stream)
    evaluator = pytrec_eval.RelevanceEvaluator(judged, ASKED)
    values = []
    for path in runs:
        with Path(path).open() as stream:
            values_of_topic = evaluator.evaluate(pytrec_eval.parse_run(stream))
        values += [[values_of_topic[number][name] for name in NAMES] for number in sorted(judged, key=str.encode)]
    np.save(out, np.array(values))


if __name__ == "__main__":
    main(*sys.argv[1:])
