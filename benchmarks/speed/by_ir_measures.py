"""Evaluate with ir_measures, as its documentation shows: `by_ir_measures.py OUT QRELS RUN …`."""

import sys

import ir_measures
import numpy as np

ASKED = ("nDCG@10", "nDCG@100", "nDCG", "AP", "RR", "P@5", "P@10", "P@100", "R@100", "R@1000", "Rprec", "Bpref")


def main(out: str, qrels: str, *runs: str) -> None:
    measures = [ir_measures.parse_measure(name) for name in ASKED]
    column = {measure: i for i, measure in enumerate(measures)}
    evaluator = ir_measures.evaluator(measures, ir_measures.read_trec_qrels(qrels))
    values = []
    for path in runs:
        row_of: dict[str, list[float]] = {}
        for one in evaluator.iter_calc(ir_measures.read_trec_run(path)):
            row_of.setdefault(one.query_id, [0.0] * len(measures))[column[one.measure]] = one.value
        values += [row_of[number] for number in sorted(row_of, key=str.encode)]
    np.save(out, np.array(values))


if __name__ == "__main__":
    main(*sys.argv[1:])
