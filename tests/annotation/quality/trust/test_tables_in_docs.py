"""The error rates printed in docs/quality.md are those that the code computes."""

import re

import pytest

from annotation.quality.policy import Policy
from annotation.quality.trust import WatchSettings, error_rates, rates_in_runs
from annotation.quality.trust.rates import RUNS, SHOWN
from annotation.quality.trust.rule_errors import SHOWN as ACCURACIES
from annotation.quality.trust.rule_errors import unreliable_shares
from tests.annotation.quality.printed import table_under


def matches(cell: str, value: float) -> None:
    """To the digits printed: `.034`, `11,470`, `2.5 × 10⁸`, `< .0001`."""
    if cell.startswith("<"):
        assert value < float(cell[1:])
    elif power := re.fullmatch(r"(\S+) × 10⁸", cell):
        assert value / 1e8 == pytest.approx(float(power[1]), abs=0.05)
    else:
        digits = len(cell.partition(".")[2])
        assert value == pytest.approx(float(cell.replace(",", "")), abs=0.5 * 10**-digits + 1e-9)


def test_the_watch() -> None:
    rows = table_under("| true rate |")
    assert [float(row[0]) for row in rows] == list(SHOWN)
    for row, figures in zip(rows, error_rates(WatchSettings()), strict=True):
        columns = (figures.stopped, figures.golds_stopped, figures.golds, figures.paused, figures.golds_paused)
        for cell, value in zip(row[1:], columns, strict=True):
            matches(cell, value or 0)


def test_the_watch_where_errors_come_in_runs() -> None:
    rows = table_under("| ρ |")
    assert [float(row[0]) for row in rows] == list(RUNS)
    for row, each in zip(rows, rates_in_runs(WatchSettings()), strict=True):
        for cell, value in zip(row[1:], (each.stopped, each.paused, each.poor_stopped), strict=True):
            matches(cell, value)


def test_the_accuracy_rule() -> None:
    policy = Policy()
    shares = unreliable_shares(threshold=policy.accuracy_threshold, min_gold=policy.min_gold)
    share_by_rate = {each.rate: (each.first, *each.within) for each in shares}
    rows = table_under("| true accuracy |")
    assert {float(row[0]) for row in rows} <= set(ACCURACIES)
    for row in rows:
        for cell, value in zip(row[1:], share_by_rate[float(row[0])], strict=True):
            matches(cell, value)
