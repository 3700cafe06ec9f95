"""Every row of ../shared/data/crowd/reference_agreement.tsv: what independent packages make of three crowds."""

import csv
from pathlib import Path

import numpy as np
import pytest

from annotation.quality.accuracy import gold_accuracy
from annotation.quality.agreement import Level, counts_of_votes, krippendorff_alpha
from annotation.quality.agreement.fleiss import fleiss_kappa
from annotation.quality.counted import counted_rows
from annotation.quality.crossfit import cross_fit
from annotation.quality.filtering import Reason
from annotation.quality.inputs import Inputs
from annotation.quality.votes import Votes
from tests.annotation.quality.crowd import everybody, snow_rte, trec_rf10, trec_rf10_with_broken_links

CROWDS = {
    "trec-rf10 (labels 0..2; -2 rows removed first)": trec_rf10,
    "trec-rf10 (labels -2,0,1,2)": trec_rf10_with_broken_links,
    "snow-rte": snow_rte,
}


@pytest.mark.shared
@pytest.mark.parametrize("data", CROWDS)
def test_every_reference_value_is_reproduced(shared_data: Path, data: str) -> None:
    with (shared_data / "crowd" / "reference_agreement.tsv").open(encoding="utf-8") as stream:
        rows = list(csv.reader(stream, delimiter="\t"))[1:]
    expected = {name: float(value) for of, name, value in rows if of == data}
    figures = _figures(CROWDS[data](shared_data))
    assert {name: figures[name] for name in expected} == pytest.approx(expected, abs=5e-7, rel=0)


def _figures(inputs: Inputs) -> dict[str, float]:
    return _of_agreement(inputs) | _of_judgments(inputs) | _of_majorities(inputs)


def _of_agreement(inputs: Inputs) -> dict[str, float]:
    table = inputs.table
    row = counted_rows(table, scale=inputs.scale)
    pair, index = np.unique(table.pair[row], return_inverse=True)
    counts = counts_of_votes(Votes(index, table.annotator[row], table.grade[row], len(pair)), inputs.scale)
    alphas = {f"krippendorff_alpha_{level}": krippendorff_alpha(counts, level=level).value for level in Level}
    values = alphas | {"fleiss_kappa": fleiss_kappa(counts).value}
    return {
        "judgments_used": len(row),
        "items": len(pair),
        "annotators": counts.n_annotators,
        "duplicates_dropped_keep_last": len(table) - len(row),
        **{name: value for name, value in values.items() if value is not None},
    }


def _of_judgments(inputs: Inputs) -> dict[str, float]:
    accuracy = gold_accuracy(inputs.table, inputs.gold, inputs.scale)
    return {"judgment_accuracy_vs_gold": accuracy.n_correct.sum() / accuracy.n_gold.sum()}


def _of_majorities(inputs: Inputs) -> dict[str, float]:
    """Of gold pairs that somebody judged; `plurality` gives no grade where the majority is tied."""
    majority, plurality = (cross_fit(inputs, everybody(name)) for name in ("majority", "plurality"))
    return {
        "gold_items_used": int(majority.kept.sum()),
        "majority_vote_accuracy_ties_to_lowest": majority.n_right / int(majority.kept.sum()),
        "gold_items_with_majority_tie": int((plurality.reason == Reason.TIED).sum()),
    }
