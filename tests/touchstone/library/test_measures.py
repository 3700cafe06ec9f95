"""Measures as objects and names, and those of ir_measures with its values."""

from typing import Any

import ir_measures
import pytest

import touchstone as ts
from evaluation.engine.measures import MEASURES
from tests.evaluation.engine.made import random_case


def test_a_cutoff_and_parameters() -> None:
    assert str(ts.nDCG @ 10) == "nDCG@10"
    assert str(ts.nDCG(gains="exp") @ 10) == "nDCG(gains='exp')@10"
    assert str(ts.nDCG(gains={2: 9, 1: 3.5}) @ 10) == "nDCG(gains={1:3.5,2:9})@10"
    assert str(ts.AP(rel=2)) == "AP(rel=2)"
    assert ts.AP(cutoff=5) == ts.AP @ 5 == ts.measure("map_cut_5")
    assert ts.measure(ts.MRR) == ts.measure("RR")
    assert str(ts.measure(ts.iAP(at=[0.2, 0.5]))) == "iAP(at=[0.2,0.5])"


def test_every_measure_has_its_name() -> None:
    names = {name for family in MEASURES for name in (family.family, *family.also)}
    assert names <= set(dir(ts))
    assert [str(getattr(ts, name)) for name in sorted(names)] == sorted(names)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ts.AP(foo=2),
        lambda: ts.AP(rel="2"),
        lambda: ts.AP @ 0,
        lambda: ts.P(rel=2) @ 2.5,
        lambda: ts.nDCG(gains={}),
        lambda: ts.measure(ts.P),
        lambda: ts.measure("P"),
        lambda: ts.measure("ndgc"),
        lambda: ts.measure(ir_measures.alpha_nDCG @ 10),
        lambda: ts.measure(ir_measures.AP(judged_only=True)),
        lambda: ts.measure(ir_measures.BPM(max_rel=3) @ 10),
    ],
)
def test_measures_of_no_sense(make: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- of several reasons
        make()


def test_what_there_is_not() -> None:
    with pytest.raises(AttributeError):
        _ = ts.nothing
    with pytest.raises(TypeError):
        ts.measure(3)


# SetF: ir_measures hands its beta on as trec_eval's x (docs/measures.md). Their tool here is trec_eval 9.
THEIRS = [
    *(ir_measures.nDCG, ir_measures.nDCG @ 5, ir_measures.nDCG(gains={0: 0, 1: 3, 2: 5, 3: 9, 4: 9}) @ 10),
    *(ir_measures.AP, ir_measures.AP(rel=2) @ 20, ir_measures.P(rel=2) @ 5, ir_measures.R @ 10, ir_measures.RR(rel=2)),
    *(ir_measures.Rprec, ir_measures.Bpref, ir_measures.IPrec @ 0.2, ir_measures.SetF(beta=2.0), ir_measures.SetR),
    *(ir_measures.SetP(relative=True), ir_measures.SetAP, ir_measures.Success @ 5, ir_measures.infAP),
    *(ir_measures.NumRet, ir_measures.NumRet(rel=1), ir_measures.NumRel, ir_measures.NumQ),
]


@pytest.mark.parametrize("theirs", THEIRS, ids=str)
def test_objects_of_ir_measures_have_its_values(theirs: Any) -> None:
    grades, scores = random_case(5)
    ours = ts.evaluate(grades, scores, [theirs], averaging="retrieved", trec_eval=9)[0]
    assert ours[theirs] == ours.mean[ours.measures[0]]
    for one in ir_measures.iter_calc([theirs], grades, scores):
        if one.query_id in ours.per_topic:
            assert ours.per_topic[one.query_id][ours.measures[0]] == pytest.approx(one.value, abs=1e-12)


def test_names_of_ir_measures() -> None:
    assert str(ts.measure("nDCG(dcg='exp-log2')@10")) == "nDCG(gains='exp')@10"
    assert ts.measure(ir_measures.nDCG(dcg="log2") @ 10) == ts.nDCG @ 10
    assert str(ts.measure(ir_measures.RBP(rel=1, p=0.5) @ 10)) == "RBP(p=0.5,rel=1)@10"
