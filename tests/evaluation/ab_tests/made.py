"""A stored log of an A/B test."""

import numpy as np

from annotation.kernel.store import put
from annotation.models import Collection
from evaluation.models import Experiment


def make_experiment(collection: Collection, name: str = "checkout", *, n: int = 400, seed: int = 0) -> Experiment:
    """A log of users, as an import stores it: arm, user, bought, seconds, before, day, land; B buys more."""
    rng = np.random.default_rng(seed)
    arm, before = np.array(["A", "B"])[np.arange(n) % 2], rng.gamma(2, 3, n).round(3)
    bought = rng.binomial(1, np.where(arm == "B", 0.5, 0.2))
    seconds, day, land = (before + rng.normal(10, 1, n)).round(3), rng.integers(1, 10, n), rng.integers(0, 2, n)
    lines = ["arm,user,bought,seconds,before,day,land"]
    for i in range(n):
        place = ("fi", "nl")[land[i]]
        lines.append(f"{arm[i]},u{i},{bought[i]},{seconds[i]},{before[i]},2026-03-0{day[i]},{place}")
    return Experiment.objects.create(
        collection=collection,
        name=name,
        sha256=put("\n".join([*lines, ""]).encode()),
        filename="log.csv",
        form="csv",
        variant="arm",
        unit="user",
        numbers=["bought", "seconds", "before"],
        texts=["day", "land"],
        n={"A": n // 2, "B": n // 2},
        n_units=n,
    )
