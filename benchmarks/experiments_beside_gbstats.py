"""Claim: differences, ratios, covariates and sequences are those of GrowthBook's gbstats 0.8; ours take less memory.

    python benchmarks/experiments_beside_gbstats.py [logs] [rows]      # after `make gbstats`

Random logs as files, which each reads for itself; the largest relative deviation of each figure, and a large log timed.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from annotation.formats.problems import Problems  # noqa: E402 -- the path comes first
from evaluation.engine.ab_tests.analysis import analyse  # noqa: E402
from evaluation.engine.ab_tests.effects import Effect, UnitMeasure, effect  # noqa: E402
from evaluation.engine.ab_tests.question import Question  # noqa: E402
from evaluation.formats.log.units import read_units  # noqa: E402

PEER = Path(os.environ.get("TOUCHSTONE_GBSTATS", ROOT / ".venv-gbstats" / "bin" / "python"))
PROGRAM = ROOT / "benchmarks" / "peers" / "by_gbstats.py"
QUESTION = Question(
    control="A",
    measures=("y",),
    ratios=(("clicks", "views"),),
    start=2,
    events=0,
    narrowest_at=5000,  # gbstats' own
)
P = 4  # where p stands in `figures`
OURS = """
import json, sys, time
from touchstone import analyse_experiment
begun = time.perf_counter()
found = analyse_experiment(sys.argv[1], variant="arm", control="A", measures=["y"], covariate="x")
seconds = time.perf_counter() - begun
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"seconds": seconds, "megabytes": int(peak) // 1024}))
"""


def log_of(n: int, rng: np.random.Generator) -> pl.DataFrame:
    """Gamma values that follow a covariate, and a ratio of counts."""
    is_b, x, views = rng.random(n) < 0.5, rng.gamma(2, 3, n), 1 + rng.poisson(rng.uniform(1, 8), n)
    y = rng.uniform(0.2, 2) * x + rng.gamma(1, 2, n) + rng.normal(0.1, 0.1) * is_b
    clicks = rng.binomial(views, np.where(is_b, 0.22, 0.2))
    columns = {"y": y, "x": x, "clicks": clicks, "views": views}
    return pl.DataFrame({"arm": np.where(is_b, "B", "A"), **columns})


def figures(own_effect: Effect) -> list[float]:
    return [own_effect.difference, own_effect.error, own_effect.interval.low, own_effect.interval.high, own_effect.p]


def ours(path: Path, theta: float) -> dict[str, list[float]]:
    """Under the names of the peer's. `theta`: the peer's, from all units without regard to variants."""
    units = read_units(path, Problems(path.name), QUESTION, variant="arm")
    analysis = analyse(units, QUESTION)
    mean, ratio = analysis.comparisons
    asked = Question(control="A", measures=("y",), covariate="x")
    groups = read_units(path, Problems(path.name), asked, variant="arm").groups
    same_theta = effect(UnitMeasure("y", 0), groups["A"], groups["B"], covariate=1, theta=theta)
    (own_theta,) = analyse(read_units(path, Problems(path.name), asked, variant="arm"), asked).comparisons
    sequence = mean.always_valid
    assert sequence is not None
    return {
        "mean": figures(mean.effect),
        "mean, relative": relative(mean.effect),
        "at every look": [sequence.low, sequence.high],
        "sample ratio": [analysis.ratio.p],
        "ratio": figures(ratio.effect),
        "ratio, relative": relative(ratio.effect),
        "with a covariate": figures(same_theta),
        "with a covariate, own theta": figures(own_theta.effect),
    }


def relative(own_effect: Effect) -> list[float]:
    interval = own_effect.relative_interval
    assert interval is not None
    assert own_effect.relative is not None
    return [own_effect.relative, interval.low, interval.high]


def theirs(peer_figures: dict[str, list[float]]) -> dict[str, list[float]]:
    short = {name: [peer_figures[name][0], *peer_figures[name][2:4]] for name in ("mean, relative", "ratio, relative")}
    sequence = {"at every look": peer_figures["at every look"][2:4]}
    return {**peer_figures, **short, **sequence, "with a covariate, own theta": peer_figures["with a covariate"]}


def distance(value: float, other: float, *, is_p: bool) -> float:
    """Relative; of p, which gbstats takes from 1 minus a probability near 1, absolute."""
    return abs(value - other) / (1.0 if is_p else abs(other) or 1.0)


def compare(n_logs: int, folder: Path) -> None:
    rng = np.random.default_rng(7)
    paths = [folder / f"log-{at}.csv" for at in range(n_logs)]
    for path in paths:
        log_of(int(rng.integers(100, 20_000)), rng).write_csv(path)
    peer = json.loads(subprocess.run([PEER, PROGRAM, *paths], check=True, capture_output=True, text=True).stdout)
    largest: dict[str, float] = {}
    for path, peer_figures in zip(paths, peer["found"], strict=True):
        other, own = theirs(peer_figures), ours(path, peer_figures["theta"][0])
        for name, values in own.items():
            pairs = zip(values, other[name], strict=True)
            largest[name] = max(
                largest.get(name, 0.0), *(distance(*pair, is_p=at == P) for at, pair in enumerate(pairs))
            )
    print(f"{n_logs} random logs, largest deviation from gbstats: relative, of p absolute")
    for name, deviation in largest.items():
        print(f"{name:30} {deviation:.1e}")


def timed(rows: int, folder: Path) -> None:
    path = folder / "large.csv"
    log_of(rows, np.random.default_rng(1)).select("arm", pl.col("y").round(4), pl.col("x").round(4)).write_csv(path)
    print(f"{rows:,} units, {path.stat().st_size >> 20} MB as CSV, with a covariate")
    programs = {"ours": [sys.executable, "-c", OURS, path], "pandas and gbstats": [PEER, PROGRAM, path]}
    for name, program in programs.items():
        done = subprocess.run(program, cwd=ROOT, check=True, capture_output=True, text=True)
        report = json.loads(done.stdout)
        print(f"{name:20} {report['seconds']:6.1f} s {report['megabytes']:6} MB")


def main(n_logs: int, rows: int) -> None:
    if not PEER.exists():
        print(f"{PEER} is not there: `make gbstats` installs gbstats in an environment of its own")
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(n_logs, Path(folder))
        timed(rows, Path(folder))


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(*numbers, *(20, 200_000)[len(numbers) :])
