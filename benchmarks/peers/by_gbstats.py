"""Run by the Python of `make gbstats`: the logs of A/B tests as GrowthBook's gbstats 0.8 analyses them; prints JSON.

    python by_gbstats.py LOG…       # CSV: arm (A, B), y, x (a covariate), clicks, views

Of each log: [difference, error, low, high, p] of what both define the same, under its name.
"""

import json
import sys
import time
from pathlib import Path

import pandas
from gbstats.frequentist.tests import FrequentistConfig, SequentialConfig, SequentialTwoSidedTTest, TwoSidedTTest
from gbstats.models.statistics import (
    RatioStatistic,
    RegressionAdjustedStatistic,
    SampleMeanStatistic,
    compute_theta,
)
from gbstats.utils import check_srm


def mean(part, name):
    return SampleMeanStatistic(n=len(part), sum=part[name].sum(), sum_squares=(part[name] ** 2).sum())


def ratio(part):
    product = (part["clicks"] * part["views"]).sum()
    return RatioStatistic(len(part), mean(part, "clicks"), mean(part, "views"), product)


def adjusted(part):
    product = (part["y"] * part["x"]).sum()
    return RegressionAdjustedStatistic(len(part), mean(part, "y"), mean(part, "x"), product, 0)


def figures(test):
    result = test.compute_result()
    return [result.expected, result.uplift.stddev, *result.ci, result.p_value]


def analysed(path):
    log = pandas.read_csv(path)
    sides = [log[log["arm"] == arm] for arm in "AB"]
    means = [mean(part, "y") for part in sides]
    absolute, relative = (FrequentistConfig(difference_type=kind) for kind in ("absolute", "relative"))
    values = {
        "mean": figures(TwoSidedTTest(*means, absolute)),
        "mean, relative": figures(TwoSidedTTest(*means, relative)),
        "at every look": figures(SequentialTwoSidedTTest(*means, SequentialConfig(difference_type="absolute"))),
        "sample ratio": [check_srm([len(part) for part in sides], [1, 1])],
    }
    if "views" in log:
        ratios = [ratio(part) for part in sides]
        values["ratio"] = figures(TwoSidedTTest(*ratios, absolute))
        values["ratio, relative"] = figures(TwoSidedTTest(*ratios, relative))
    if "x" in log:
        values["with a covariate"] = figures(TwoSidedTTest(*[adjusted(part) for part in sides], absolute))
        values["theta"] = [compute_theta(*[adjusted(part) for part in sides])]
    return values


def main():
    begun = time.perf_counter()
    analyses = [analysed(path) for path in sys.argv[1:]]
    seconds = time.perf_counter() - begun
    status = Path("/proc/self/status").read_text("ascii").splitlines()
    peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
    print(json.dumps({"found": analyses, "seconds": seconds, "megabytes": int(peak) // 1024}))


main()
