"""Claim: a stored series without a change raises a false alarm in a horizon at about the stated rate (docs/series.md).

    python benchmarks/series_rule.py [replications]

Series are drawn without a change: a history and two horizons after it. The baseline comes from each history by itself,
as `series` freezes it but with fewer draws. It is counted in how many horizons CUSUM, or Page–Hinkley, opens an alert,
looked at after every point; and over a tenth of the replications, in how many it does where the first horizon is moved
by one deviation.
"""

import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.change_points import CASES
from evaluation.engine.arrays import Floats
from evaluation.engine.drift.paths import Bad, Method
from evaluation.engine.drift.rule import baseline_of, path_of

SEED, HORIZON, DRAWS, RATE = 17, 30, 400, 0.05


@dataclass(frozen=True)
class Case:
    name: str
    draw: Callable[[np.random.Generator, int], Floats]
    n_history: int
    block: int
    method: Method
    bad: Bad

    def alarms(self, times: int, shift: float) -> Floats:
        """Shares of first and of second horizons with an alarm."""
        rng, count = np.random.default_rng(SEED), np.zeros(2)
        for seed in range(times):
            value = self.draw(rng, self.n_history + 2 * HORIZON)
            history, new = value[: self.n_history], value[self.n_history :] + shift
            how = {"horizon": HORIZON, "rate": RATE, "block": self.block, "n_draws": DRAWS, "seed": seed}
            baseline = baseline_of(history, method=self.method, bad=self.bad, **how)  # type: ignore[arg-type]
            above = path_of(baseline, new).level > baseline.threshold
            count += above.reshape(2, HORIZON).any(axis=1)
        return 100 * count / times


def cases() -> Iterator[Case]:
    methods: tuple[Method, ...] = ("cusum", "page-hinkley")
    sides: tuple[Bad, ...] = ("up", "either")
    for case in CASES:
        yield from (Case(*case, method, bad) for method in methods for bad in sides)


if __name__ == "__main__":
    replications, begun = int(sys.argv[1]) if len(sys.argv) > 1 else 300, time.perf_counter()
    error = 100 * math.sqrt(RATE * (1 - RATE) / replications)
    print(
        f"{replications:,} replications, seed {SEED}, horizons of {HORIZON}; the standard error near 5 is {error:.2f}"
    )
    print(f"{'series':16}{'history':>8}{'block':>6}  {'method':14}{'bad':8}{'first':>7}{'second':>8}{'found':>8}")
    for case in cases():
        first, second = case.alarms(replications, 0.0)
        power = case.alarms(max(100, replications // 10), 1.0)[0]
        row = f"{case.name:16}{case.n_history:>8}{case.block:>6}  {case.method:14}{case.bad:8}"
        print(f"{row}{first:7.1f}{second:8.1f}{power:8.1f}", flush=True)
    print(f"{time.perf_counter() - begun:.0f} s")
