"""The worked example of docs/quality.md, computed."""

import pytest

from annotation.quality.apply import apply_policy
from annotation.quality.coverage import Coverage, coverage_of, suggest
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy
from annotation.quality.standing import Standing
from tests.annotation.quality.build import GOLD, inputs_of, on_gold, table_of
from tests.annotation.quality.printed import table_under


@pytest.fixture(scope="module")
def people() -> list[list[str]]:
    return table_under("| person | gold judged | right | accuracy | Wilson interval | standing |")


@pytest.fixture(scope="module")
def inputs(people: list[list[str]]) -> Inputs:
    names = [row[0] for row in people]
    gold = [judgment for row in people for judgment in on_gold(row[0], int(row[2]), int(row[1]) - int(row[2]))]
    judged = [
        ("1", row[0], name, int(grade))
        for row in table_under(f"| document | {' | '.join(names)} |")
        for name, grade in zip(names, row[1:], strict=True)
        if grade
    ]
    return inputs_of(table_of([*gold, *judged]), gold=GOLD)


def test_people(people: list[list[str]], inputs: Inputs) -> None:
    figures = apply_policy(inputs, Policy()).people
    accuracy = figures.accuracy
    assert len(people) == 4
    assert people == [
        [
            name,
            str(accuracy.n_gold[i]),
            str(accuracy.n_correct[i]),
            f"{accuracy.share[i]:.2f}",
            f"{accuracy.low[i]:.2f}–{accuracy.high[i]:.2f}",
            Standing(int(figures.standing[i])).name.lower(),
        ]
        for i, name in enumerate(inputs.table.annotators)
    ]


def test_outcome(inputs: Inputs) -> None:
    outcome = apply_policy(inputs, Policy())
    kept = [[p.docno, str(p.grade), f"{p.confidence:.2f}"] for p in outcome.frozen_pairs() if p.number == "1"]
    dropped = [[p.docno, p.reason, ""] for p in outcome.dropped_pairs()]
    assert table_under("| document | outcome | confidence |") == kept + dropped
    assert coverage_of(outcome) == Coverage(2, 5)


def test_suggestion(inputs: Inputs) -> None:
    suggestion = suggest(inputs, Policy())
    assert suggestion is not None
    assert (suggestion.changed, suggestion.coverage) == ({"count_unproven": True}, Coverage(3, 5))
    assert ("d4", 4) in {(pair.docno, pair.grade) for pair in apply_policy(inputs, suggestion.policy).frozen_pairs()}


def test_every_parameter_has_its_row_with_its_default() -> None:
    rows = {row[0].strip("`"): row[1] for row in table_under("| parameter | default | meaning |")}
    shown = {name: str(value).lower() for name, value in vars(Policy()).items()}
    assert rows == shown
