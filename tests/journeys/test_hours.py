"""People judge on two pools of web processes beside a worker, and memory is noted. For hours: `make soak-hours`."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.soak.day import DEEDS, LEAST
from tests.soak.hours import HoursSoak
from tests.soak.memory import begin_and_end, faults

pytestmark = pytest.mark.both("locks")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")
def test_a_working_day_in_short(tmp_path: Path) -> None:
    lines: list[str] = []
    soak = HoursSoak(tmp_path, 6, hours=10 / 3600, pace=20, seed=1, say=lines.append, most_growth=9, begun=60)
    figures = soak.run()
    assert figures.broken == [], "\n".join(lines)
    assert figures.judgments >= 6 * LEAST
    assert set(figures.deeds) <= set(DEEDS)
    assert set(figures.pages) <= {200, 202}
    assert figures.pages.total() > 0
    sample = figures.samples[-1]
    processes = Counter(name.partition(",")[0] for name in sample if name != "worker")  # which may be at a job
    assert processes == {"judging": 3, "others": 3}
    assert min(sample.values()) > 5


def test_memory_is_compared_from_the_warm_up_on() -> None:
    samples = [{"web": 10.0 * n, "gone": 1.0} for n in range(1, 19)]
    samples += [{"web": 190.0}, {"web": 200.0, "new": 2.0}]
    assert begin_and_end(samples) == ({"web": 35.0, "gone": 1.0}, {"web": 195.0, "new": 2.0})
    assert begin_and_end(samples[:3]) == ({}, {})


def test_which_pool_grows_and_which_process_ends_is_named() -> None:
    begin = {"web, one": 40.0, "web, other": 60.0, "worker": 80.0, "gone": 1.0}
    end = {"web, one": 64.0, "web, other": 40.9, "worker": 84.1, "new": 50.0}
    ended, grown = faults([begin] * 10 + [end] * 10, most=0.05)
    assert ("gone" in ended, "worker" in grown) == (True, True)
