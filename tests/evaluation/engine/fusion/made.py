"""Three runs that ranx has fused, too: no tied scores, all topics in each, lists of different lengths."""

from random import Random

Scores = dict[str, dict[str, float]]


def made_runs() -> dict[str, Scores]:
    """Topic 4 has one document a run; scores of the third run are negative."""
    random = Random(19)
    runs: dict[str, Scores] = {}
    for tag, shift, width in (("bm25", 0, 30), ("dense", 0, 1), ("logs", -50, 20)):
        runs[tag] = {}
        for number, n_documents in (("1", 6), ("2", 4), ("3", 9), ("4", 1)):
            docnos = random.sample([f"d{n}" for n in range(12)], n_documents - (tag == "logs" and n_documents > 1))
            runs[tag][number] = {docno: round(shift + width * random.random(), 4) for docno in docnos}
    return runs
