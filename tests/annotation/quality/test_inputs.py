"""Inputs frozen, and outcomes rebuilt from them byte for byte."""

import hashlib

import numpy as np
import pytest

from annotation.formats.snapshot_jsonl import snapshot_jsonl
from annotation.quality.adjudications import Adjudications, no_adjudications
from annotation.quality.apply import apply_policy
from annotation.quality.gold import gold_pairs
from annotation.quality.inputs import MAGIC, Inputs
from annotation.quality.pairs import Pairs
from annotation.quality.policy import Policy
from annotation.quality.scale import Scale
from tests.annotation.quality.build import GOLD, inputs_of, no_gold, on_gold, table_of


def inputs(**change: object) -> Inputs:
    judgments = [*on_gold("Ann", 10, 0), *on_gold("Bob", 9, 1), ("1", "x", "Ann", 3), ("1", "x", "Bob", 2)]
    laid = [("1", "x"), ("1", "y")]
    table = table_of(judgments, further_pairs=laid)
    arguments = {"gold": GOLD, "decided": {("1", "y"): 4}, "excluded": [], "laid": laid, **change}
    return inputs_of(table, **arguments)  # type: ignore[arg-type]


def rebuilt(data: bytes) -> bytes:
    outcome = apply_policy(Inputs.from_bytes(data), Policy())
    return b"".join(snapshot_jsonl([*outcome.frozen_pairs(), *outcome.dropped_pairs()]))


@pytest.mark.parametrize("change", [{}, {"laid": None}, {"excluded": ["Bob"]}, {"gold": {}, "decided": {}}])
def test_what_is_frozen_comes_back(change: dict[str, object]) -> None:
    original = inputs(**change)
    again = Inputs.from_bytes(original.to_bytes())
    assert again.to_bytes() == original.to_bytes()
    assert (again.scale, again.excluded) == (original.scale, original.excluded)
    assert (again.laid is None) == (original.laid is None)
    assert again.gold.accepted.tolist() == original.gold.accepted.tolist()
    now = apply_policy(original, Policy())
    assert rebuilt(original.to_bytes()) == b"".join(snapshot_jsonl([*now.frozen_pairs(), *now.dropped_pairs()]))


@pytest.mark.parametrize(
    "change",
    [{"gold": {}}, {"excluded": ["Ann"]}, {"decided": {}}, {"laid": None}, {"scale": Scale((0, 1, 2, 3, 4, 5))}],
)
def test_every_input_is_part_of_the_file(change: dict[str, object]) -> None:
    assert inputs(**change).to_bytes() != inputs().to_bytes()


def test_an_accepted_set_is_part_of_the_file() -> None:
    table, scale = table_of([("g", "a", "Ann", 1)]), Scale()
    alone, both = (
        gold_pairs(table, number=["g"], docno=["a"], grade=[1], scale=scale, accepted=[these])
        for these in ({1}, {1, 2})
    )
    files = [Inputs(table, scale, gold, no_adjudications()).to_bytes() for gold in (alone, both)]
    assert files[0] != files[1]


def test_the_frozen_form_has_not_changed_since_it_was_published() -> None:
    """SHA-256 of file and outcome at the time format 1 was fixed: snapshots of that time must still rebuild."""
    data = inputs().to_bytes()
    assert hashlib.sha256(data).hexdigest() == "756f3ad3c67e392e5135630eca917d20b052fd1cfd7baf75b425ae512d5ca5b2"
    outcome = hashlib.sha256(rebuilt(data)).hexdigest()
    assert outcome == "8d55df1739cbbf92b651159944125a811840aa291fe3103aa723616fd2fa06a3"


@pytest.mark.parametrize("kept", [0, 5, len(MAGIC), len(MAGIC) + 8, 200, -1])
def test_a_cut_file_is_refused(kept: int) -> None:
    with pytest.raises(ValueError, match=r"cut short|not a file|damaged"):
        Inputs.from_bytes(inputs().to_bytes()[:kept])


def test_inputs_that_do_not_fit_are_refused() -> None:
    table, scale, one = table_of([("1", "x", "Ann", 3)]), Scale(), np.array([0])
    gold, nothing = no_gold(scale), no_adjudications()
    with pytest.raises(ValueError, match="adjudicated grade is not on the scale"):
        Inputs(table, scale, gold, Adjudications(one, one, np.array([7])))
    with pytest.raises(ValueError, match="outside the id lists"):
        Inputs(table, scale, gold, nothing, laid=Pairs(one, np.array([1])))
    with pytest.raises(ValueError, match="no annotator"):
        Inputs(table, scale, gold, nothing, excluded=frozenset({1}))
    with pytest.raises(ValueError, match="sorted by topic and document"):
        Pairs(np.array([0, 0]), np.array([1, 1]))
    with pytest.raises(ValueError, match="sorted by topic and document"):
        Pairs(np.array([1, 0]), np.array([0, 1]))
    with pytest.raises(ValueError, match="accepted has 5 columns"):
        Inputs(table, Scale((0, 1)), gold, nothing)
