"""Claim: on a crowd of 766 people a process's first page of quality takes 1.5 seconds, and .5 once it knows the crowd.

    python benchmarks/quality_pages.py [--rounds 3] [--databases sqlite,postgresql]
                                       [--crowd ../shared/data/crowd/trec-rf10]

The crowd's judgments and gold are imported once into each database, which is new. Then, for each page and round, a new
process opens it twice: the whole answer of the application, without the network, by Django's client, as an admin.
Printed are the medians of the seconds by the clock and of the process's processor, and how large the page is. An answer
other than 200 fails the program; no peer has such pages. Without the crowd's folder nothing is measured.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from load.database import ROOT, new_database, new_folder

PAGES = (
    *("quality/", "quality/annotators", "quality/agreement", "quality/pairs", "quality/couples", "quality/contested/"),
    *("gold/", "gold/suspects", "policies/compare?{several}"),
)
HEAD = f"{'':40}{'first s':>9}{'then s':>9}{'cpu s':>9}{'then':>9}{'kB':>7}"


def main() -> int:
    chosen = _choices()
    crowd = chosen.crowd.resolve()
    if not (crowd / "gold.tsv").is_file():
        print(f"nothing measured: there is no {crowd}")
        return 0
    for database in chosen.databases.split(","):
        print(f"{database}\n{HEAD}", flush=True)
        with new_database(database) as url, new_folder() as var:
            (var / "static").mkdir()
            as_served = {"NUMPY_MADVISE_HUGEPAGE": "0"}  # manage.py sets it, and the server inherits it
            environment = {**os.environ, **as_served, "DATABASE_URL": url, "TOUCHSTONE_VAR": str(var)}
            _process(environment, "prepare", str(crowd))
            for page in PAGES:
                _measure(environment, page, chosen.rounds)
    return 0


def _choices() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--crowd", type=Path, default=ROOT.parent / "shared" / "data" / "crowd" / "trec-rf10")
    return parser.parse_args()


def _measure(environment: Mapping[str, str], page: str, rounds: int) -> None:
    answers = [json.loads(_process(environment, "open", page)) for _ in range(rounds)]
    first, then, cpu, cpu_then, size = (statistics.median(figures) for figures in zip(*answers, strict=True))
    name = page.partition("?")[0]
    print(f"  {name:38}{first:9.2f}{then:9.2f}{cpu:9.2f}{cpu_then:9.2f}{size / 1000:7.0f}", flush=True)


def _process(environment: Mapping[str, str], *arguments: str) -> str:
    command = [sys.executable, str(ROOT / "benchmarks" / "load" / "crowd.py"), *arguments]
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    sys.exit(main())
