"""People judge on two pools of web processes beside a worker, and memory is noted. For hours: `make soak-hours`."""

import sys
from pathlib import Path

import pytest

from tests.soak.day import DEEDS
from tests.soak.hours import HoursSoak
from tests.soak.memory import spans

pytestmark = pytest.mark.both("locks")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")
def test_a_working_day_in_short(tmp_path: Path) -> None:
    lines: list[str] = []
    soak = HoursSoak(tmp_path, 6, hours=10 / 3600, pace=20, seed=1, say=lines.append, most_growth=1)
    figures = soak.run()
    assert figures.broken == [], "\n".join(lines)
    assert figures.judgments > 20
    assert set(figures.deeds) <= set(DEEDS)
    assert figures.pages[200] + figures.pages[202] > 5
    assert {name.partition(",")[0] for name in figures.growth()} == {"judging", "others", "worker"}
    assert all(before > 10 for before, _ in figures.growth().values())


def test_memory_is_compared_from_the_warm_up_on() -> None:
    samples = [{"web": 10.0 * n, "gone": 1.0} for n in range(1, 21)]
    samples[-1] = {"web": 200.0}
    assert spans(samples) == {"web": (35.0, 195.0)}
    assert spans(samples[:3]) == {}
