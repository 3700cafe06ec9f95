"""How ranx 0.3.21 fuses the runs of tests/evaluation/engine/fusion/made.py, for the test beside it. In an environment
of requirements-bench.txt:

    python -m benchmarks.expected.fused_by_ranx > tests/evaluation/engine/fusion/fused_by_ranx.tsv

Lines are method, normalisation, topic, docno, score.
"""

from ranx import Run, fuse

from tests.evaluation.engine.fusion.made import made_runs

METHODS = [("rrf", "", {"k": 60}), ("rrf", "", {"k": 5}), ("isr", "", {}), ("bordafuse", "", {})]
METHODS += [(method, norm, {}) for method in ("sum", "mnz") for norm in ("min-max", "zmuv", "rank")]

if __name__ == "__main__":
    runs = [Run(scores, name=tag) for tag, scores in made_runs().items()]
    for method, norm, parameters in METHODS:
        fused = fuse(runs=runs, norm=norm or None, method=method, params=parameters or None).to_dict()
        name = f"{method}{parameters.get('k', '')}"
        for number, documents in sorted(fused.items()):
            for docno, score in sorted(documents.items()):
                print(f"{name}\t{norm}\t{number}\t{docno}\t{float(score)!r}")
