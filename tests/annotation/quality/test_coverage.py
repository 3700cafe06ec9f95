"""How much is kept, and the suggestion of a milder policy."""

import csv
import gzip
from pathlib import Path

import pytest

from annotation.quality.apply import apply_policy
from annotation.quality.coverage import RELAXATIONS, Coverage, coverage_of, suggest
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from annotation.quality.standing import Standing
from tests.annotation.quality.build import GOLD, inputs_of, on_gold, table_of

PEOPLE = [*on_gold("Ann", 10, 0), *on_gold("Bob", 6, 4), *on_gold("New", 2, 0)]


def inputs(*pairs: dict[str, int], purpose: Purpose = Purpose.ORDINARY) -> Inputs:
    judgments = [("1", f"D{i}", name, grade) for i, by in enumerate(pairs) for name, grade in by.items()]
    asked = [Purpose.GOLD] * len(PEOPLE) + [purpose] * len(judgments)
    return inputs_of(table_of([*PEOPLE, *judgments], purpose=asked), gold=GOLD)


@pytest.mark.parametrize("threshold", [0.3, 0.45, 0.55, 0.7, 0.9])
@pytest.mark.parametrize("max_range", [None, 0, 2, 3])
def test_what_is_tried_is_never_stricter(threshold: float, max_range: int | None) -> None:
    """As docs/quality.md lists it: thresholds .6, .5 and .4, a range of 2, one judgment, the unproven believed."""
    policy = Policy(accuracy_threshold=threshold, max_range=max_range)
    tried = [relax(policy) for relax in RELAXATIONS]
    assert [each.accuracy_threshold for each in tried] == [
        threshold, min(threshold, 0.6), min(threshold, 0.5), threshold, min(threshold, 0.4), threshold,
    ]  # fmt: skip
    wide = None if max_range is None else max(max_range, 2)
    assert [each.max_range for each in tried] == [*[max_range] * 3, wide, *[max_range] * 2]
    assert [each.min_judgments for each in tried] == [2, 2, 2, 2, 2, 1]
    assert [each.count_unproven for each in tried] == [True, *[False] * 5]


def test_gold_and_checks_are_not_there_to_be_decided() -> None:
    assert coverage_of(apply_policy(inputs({"Ann": 1, "Bob": 1}), Policy())) == Coverage(0, 1)
    assert coverage_of(apply_policy(inputs({"Ann": 1}, purpose=Purpose.CHECK), Policy())) == Coverage(0, 0)
    assert coverage_of(apply_policy(inputs({"Ann": 1}), Policy(gold_pairs="judged"))).total == 11
    assert Coverage(0, 0).enough


def test_half_is_enough() -> None:
    assert Coverage(1, 2).enough
    assert not Coverage(49, 100).enough


def test_no_suggestion_where_enough_is_kept() -> None:
    assert suggest(inputs({"Ann": 1, "Bob": 1}), Policy(accuracy_threshold=0.6)) is None


@pytest.mark.parametrize(
    ("pair", "changed"),
    [
        ({"Ann": 1, "New": 1}, {"count_unproven": True}),
        ({"Ann": 1, "Bob": 1}, {"accuracy_threshold": 0.6}),
        ({"Ann": 1}, {"min_judgments": 1}),
        ({"Bob": 1, "New": 3}, {"count_unproven": True, "accuracy_threshold": 0.6, "max_range": 2}),
    ],
)
def test_the_mildest_change_that_keeps_enough_is_named(pair: dict[str, int], changed: dict[str, object]) -> None:
    suggestion = suggest(inputs(pair), Policy())
    assert suggestion is not None
    assert suggestion.changed == changed
    assert suggestion.coverage == Coverage(1, 1)
    assert coverage_of(apply_policy(inputs(pair), suggestion.policy)) == suggestion.coverage


def test_of_policies_that_do_not_keep_enough_the_best_is_named() -> None:
    judged = inputs({"Ann": 0, "Bob": 4}, {"Ann": 0, "Bob": 4}, {"Ann": 0, "Bob": 4}, {"Ann": 1, "New": 1})
    suggestion = suggest(judged, Policy())
    assert suggestion is not None
    assert suggestion.coverage == Coverage(4, 4)  # one judgment is enough: then only Ann's counts
    assert suggestion.changed == {"min_judgments": 1}


def test_changes_that_do_nothing_are_not_bundled() -> None:
    """One person and no gold: neither a lower bar nor a wider range lets a pair through."""
    alone = inputs_of(table_of([("1", f"D{i}", "Ann", i % 5) for i in range(8)]), gold={})
    suggestion = suggest(alone, Policy())
    assert suggestion is not None
    assert suggestion.changed == {"count_unproven": True, "min_judgments": 1}
    assert suggestion.coverage == Coverage(8, 8)


def test_a_bar_is_not_lowered_further_than_it_takes() -> None:
    """Bob is right on six of ten, and the pair wants two judgments fewer besides."""
    suggestion = suggest(inputs({"Bob": 1}), Policy())
    assert suggestion is not None
    assert suggestion.changed == {"accuracy_threshold": 0.6, "min_judgments": 1}


def test_no_suggestion_where_nothing_would_help() -> None:
    assert suggest(inputs({"Ann": -2}), Policy()) is None


@pytest.fixture(scope="module")
def rf10(shared_data: Path) -> Inputs:
    folder = shared_data / "crowd" / "trec-rf10"
    with gzip.open(folder / "judgments.tsv.gz", "rt") as stream:
        rows = list(csv.reader(stream, delimiter="\t"))[1:]
    with (folder / "gold.tsv").open(encoding="utf-8") as stream:
        gold = {(n, d): int(grade) for n, d, grade in list(csv.reader(stream, delimiter="\t"))[1:] if grade != "-2"}
    table = table_of([(number, docno, worker, int(grade)) for number, docno, worker, grade in rows])
    return inputs_of(table, gold=gold, scale=Scale((0, 1, 2)))


@pytest.mark.shared
def test_on_rf10_the_default_policy_leaves_7_of_766_people_and_no_pair(rf10: Inputs) -> None:
    """Broken links (−2) are "cannot judge"; the 3,277 pairs kept are the gold itself."""
    outcome = apply_policy(rf10, Policy())
    assert len(outcome.people.standing) == 766
    assert int((outcome.people.standing == Standing.RELIABLE).sum()) == 7
    assert coverage_of(outcome) == Coverage(0, 20232 - 3277)
    assert {pair.source for pair in outcome.frozen_pairs()} == {"expert"}


@pytest.mark.shared
def test_on_rf10_a_policy_that_keeps_more_is_named(rf10: Inputs) -> None:
    suggestion = suggest(rf10, Policy())
    assert suggestion is not None
    assert suggestion.coverage.enough
    assert coverage_of(apply_policy(rf10, suggestion.policy)) == suggestion.coverage


@pytest.mark.shared
def test_rf10_rebuilds_byte_for_byte(rf10: Inputs) -> None:
    data = rf10.to_bytes()
    assert Inputs.from_bytes(data).to_bytes() == data
