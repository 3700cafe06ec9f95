"""What dynamic overlap saves: on simulated campaigns, and on real crowds replayed in their order."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from annotation.quality.apply import apply_policy
from annotation.quality.arrays import Bools, Floats
from annotation.quality.overlap import End, OverlapRule, at_fixed, at_paths, follow, with_at_least
from annotation.quality.overlap.campaign import Setting, campaign, expect
from annotation.quality.overlap.turns import cut_off, turns_of
from annotation.quality.pairs import find
from tests.annotation.quality.crowd import everybody, snow_rte, trec_rf10

DS = everybody("dawid_skene")
SETTING = Setting(tuple(np.linspace(0.65, 0.95, 20).tolist()), n_topics=30, pairs_a_topic=40, gold=0.5)


def test_a_campaign_is_what_was_asked_for() -> None:
    setting = Setting((1.0, 1.0, 1.0), n_topics=3, pairs_a_topic=50, gold=0.5)
    inputs = campaign(setting, maximum=2, rng=np.random.default_rng(1))
    assert len(inputs.table) == 300
    assert 50 < len(inputs.gold) < 100
    again = campaign(setting, maximum=2, rng=np.random.default_rng(1))
    assert inputs.table.to_bytes() == again.table.to_bytes()
    assert np.unique(inputs.table.pair * 3 + inputs.table.annotator).size == 300  # nobody twice


def test_fewer_judgments_are_as_good() -> None:
    """A quarter of the judgments less than seven a pair, at the accuracy of six or better; probabilities hold."""
    expectation = expect(SETTING, DS, OverlapRule(3, 7, 0.92), rng=np.random.default_rng(2))
    inputs = campaign(SETTING, maximum=7, rng=np.random.default_rng(2))
    assert expectation.saved > 0.25
    assert expectation.dynamic.share > at_fixed(inputs, DS, 6).share - 0.005
    probability = expectation.paths.probability[expectation.paths.gold]
    assert np.nanmean(probability) == pytest.approx(expectation.dynamic.share, abs=0.02)


def test_each_path_keeps_its_word() -> None:
    """Of the pairs that stopped at a number, as many are right as their probabilities say, within chance."""
    paths = follow(campaign(SETTING, maximum=7, rng=np.random.default_rng(5)), DS, OverlapRule(3, 7, 0.92))
    key = paths.topic * 10_000 + paths.document
    place = {k: i for i, k in enumerate(key.tolist())}
    own = np.array([place[k] for k in (paths.on_gold.topic * 10_000 + paths.on_gold.document).tolist()])
    for n in (3, 4, 7):
        chosen = paths.n_used[own] == n
        probability, was = paths.probability[own][chosen].mean(), paths.on_gold.right[chosen].mean()
        assert chosen.sum() > 50
        assert abs(probability - was) < 3 * np.sqrt(was * (1 - was) / chosen.sum()) + 0.01


@pytest.mark.parametrize("accuracy", [0.85, 0.65])
def test_pairs_without_gold_are_as_right_as_is_said(accuracy: float) -> None:
    """Their truth is known here. Who stopped because the target was reached was lucky now and then: of these alone the
    probabilities are a little high, by more where people are weaker. Each curve is learned on 240 gold pairs: that
    alone moves what is said by some hundredths, one campaign up and the next one down."""
    people = tuple(np.linspace(accuracy - 0.15, accuracy + 0.12, 15).tolist())
    setting = Setting(people, n_topics=24, pairs_a_topic=25, gold=0.4)
    campaigns = (_probabilities(setting, seed) for seed in (1, 2, 3))
    probability, was, sure = (np.concatenate(each) for each in zip(*campaigns, strict=True))
    assert probability.mean() == pytest.approx(was.mean(), abs=0.05)
    assert -0.02 < probability[sure].mean() - was[sure].mean() < 0.06


def _probabilities(setting: Setting, seed: int) -> tuple[Floats, Bools, Bools]:
    """Of the pairs without gold: how probable the right grade was said to be, whether it is right, and who was sure."""
    inputs = campaign(setting, maximum=6, rng=np.random.default_rng(seed))
    true = campaign(replace(setting, gold=1.0), maximum=6, rng=np.random.default_rng(seed)).gold
    paths = follow(inputs, DS, OverlapRule(3, 6, 0.88))
    key = inputs.table.pair_key(paths.topic, paths.document)
    outcome = apply_policy(cut_off(inputs, turns_of(inputs.table), key, paths.n_used), DS)
    graded = find(key, inputs.table.pair_key(outcome.topic, outcome.document))[0]
    known = find(key, inputs.table.pair_key(true.topic, true.document))[0]
    rest = ~paths.gold
    right = outcome.grade[graded] == true.grade[known]
    return paths.probability[rest], right[rest], (paths.end == End.SURE)[rest]


@pytest.mark.shared
def test_saved_on_rte(shared_data: Path) -> None:
    """Ten judgments of each pair, taken in their order: less than five on average are as good as eight."""
    inputs = snow_rte(shared_data)
    paths = follow(inputs, DS, OverlapRule(3, 10, 0.9))
    dynamic = at_paths(paths)
    assert dynamic.per_pair == pytest.approx(4.49, abs=0.1)
    assert dynamic.share == pytest.approx(0.925, abs=0.005)
    assert dynamic.share >= at_fixed(inputs, DS, 8).share
    assert np.nanmean(paths.probability) == pytest.approx(dynamic.share, abs=0.02)


@pytest.mark.shared
@pytest.mark.slow
def test_little_is_saved_on_rf10(shared_data: Path) -> None:
    """Where one judgment says next to nothing, hardly a pair is ever sure: the rule says so and goes to the largest."""
    inputs = with_at_least(trec_rf10(shared_data), 5)
    paths = follow(inputs, DS, OverlapRule(2, 5, 0.6))
    dynamic = at_paths(paths)
    assert (paths.end == End.MAXIMUM).mean() > 0.6
    assert dynamic.per_pair == pytest.approx(4.61, abs=0.1)
    assert dynamic.share == pytest.approx(0.501, abs=0.01)
    assert np.nanmean(paths.probability[paths.gold]) == pytest.approx(dynamic.share, abs=0.02)
