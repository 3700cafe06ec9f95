"""nAUC as text."""

from evaluation.engine.abstention import Abstention
from evaluation.engine.measures import parse_measure
from evaluation.engine.scorer import evaluate
from evaluation.formats.abstention import as_table
from tests.evaluation.engine.made import made_qrels, made_run


def test_a_trace_below_0_is_shown_as_0() -> None:
    """What rounding left of 0 says nothing of misleading scores."""
    evaluation = evaluate(made_run({"1": {"a": 1.0}}), made_qrels({"1": {"a": 1}}), [parse_measure("AP")])
    lines = as_table([(evaluation, Abstention((-1e-17,), (-0.25,), (None,)))]).splitlines()
    assert lines[1].split() == ["made", "AP", "0.0000", "-0.2500", "–"]
