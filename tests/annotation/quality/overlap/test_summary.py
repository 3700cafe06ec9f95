"""What the rule came to in numbers, and what it can be expected to come to."""

import json

import numpy as np
import pytest

from annotation.quality.overlap import End, OverlapRule, Summary, follow, likely, summary_of
from annotation.quality.overlap.campaign import Setting, campaign
from tests.annotation.quality.crowd import everybody
from tests.annotation.quality.overlap.test_paths import DS, PEOPLE

RULE = OverlapRule(3, 5, 0.88)


@pytest.fixture(scope="module")
def summary_and_counts() -> tuple[Summary, dict[str, int]]:
    """What was summed up, and the same counted by hand."""
    setting = Setting(PEOPLE, n_topics=12, pairs_a_topic=20, gold=0.6)
    paths = follow(campaign(setting, maximum=5, rng=np.random.default_rng(3)), DS, RULE)
    rest = ~paths.gold & paths.stopped
    counted = {"pairs": int(rest.sum()), "judgments": int(paths.n_used[rest].sum()), "gold": int(paths.gold.sum())}
    return summary_of(paths), counted | {"sure": int((rest & (paths.end == End.SURE)).sum())}


def test_pairs_and_judgments_add_up(summary_and_counts: tuple[Summary, dict[str, int]]) -> None:
    summary, counted = summary_and_counts
    assert [path.n for path in summary.paths] == [3, 4, 5]
    assert (summary.n_stopped, summary.n_judgments) == (counted["pairs"], counted["judgments"])
    assert sum(path.n_sure for path in summary.paths) == counted["sure"]
    assert summary.n_saved == 5 * counted["pairs"] - counted["judgments"] > 0
    assert summary.saved == pytest.approx(summary.n_saved / (5 * counted["pairs"]))
    assert (summary.n_wanting, summary.n_short, summary.n_unknown) == (0, 0, 0)


def test_gold_adds_up_and_is_as_right_as_was_said(summary_and_counts: tuple[Summary, dict[str, int]]) -> None:
    summary, counted = summary_and_counts
    gold = summary.gold
    assert gold.n == counted["gold"] == sum(path.gold.n for path in summary.paths)
    assert gold.n_right == sum(path.gold.n_right for path in summary.paths)
    assert gold.said is not None
    assert gold.interval[0] - 0.02 < gold.said < gold.interval[1] + 0.02
    assert not summary.too_little_gold


def test_it_is_stored_as_json(summary_and_counts: tuple[Summary, dict[str, int]]) -> None:
    assert Summary.of(json.loads(json.dumps(summary_and_counts[0].to_json()))) == summary_and_counts[0]


def test_what_is_likely() -> None:
    """The better the people, the fewer judgments and the more that come out right; never more than the largest."""
    rows = likely(OverlapRule(2, 4, 0.85), everybody("dawid_skene"), (0, 1, 2))
    assert [row.accuracy for row in rows] == [0.6, 0.75, 0.9]
    assert rows[0].per_pair > rows[1].per_pair > rows[2].per_pair >= 2
    assert rows[0].right < rows[1].right < rows[2].right
    assert all(row.per_pair <= 4 for row in rows)
