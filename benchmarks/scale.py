"""Claim: pages that read all judgments open within 3 s at 873,000 of them, within 0.5 s again, and take 300 MB.

    python benchmarks/scale.py [--size S,M,L] [--databases postgresql] [--rounds 1]

A campaign of a company (S, M, L: 16,000, 145,000, 873,000 judgments of 10, 100, 800 people) is written into a new
database, and the worker keeps its columns and, of 100,000 judgments or more, what pages show. A page that the worker
makes for nobody is opened before, which asks for it. Then 1,000 judgments come in, and each page is opened twice by a
process of its own: the whole answer of the application, without the network, by Django's client, as an admin. The first
time nothing is in the process but the code, as a server loads it, and what is kept is older than the judgments. Printed
are the seconds by the clock and of the processor, both times, the number of queries, the size of the page, and the most
memory that the process had. Last come the seconds, those of the processor, and the MB of keeping all columns, of what
the worker makes at first and after 1,000 judgments, of keeping these, and of freezing. Exits with 1 where a figure of L
is beyond its aim. An answer other than 200 and 202 fails the program.

Then runs are evaluated on what was frozen (10, 100, 300), and one process opens every page and file of the collection
twice. Of the second time are printed seconds by the clock and of the processor, queries, rows that the database read,
and kB; with several sizes at last how many times as much each takes as the one before, of pages that read three times
the rows or take three times the processor and have not grown as much themselves: where a page's cost grows with what
it does not show, it stands there.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise
from statistics import median

from load.database import ROOT, new_database, new_folder

PAGES = (
    "quality/",
    "quality/annotators",
    "quality/agreement",
    "quality/pairs",
    "quality/pausing",
    "quality/couples",
    "quality/contested/",
    "quality/annotators/{person}/",
    "batches/{token}/health",
    "gold/suspects",
    "policies/compare?batch={token}&policy=default+v1&rule=median",
)
FOR_NOBODY = PAGES[-1:]  # what the worker makes only where somebody has asked
AIMS = (3.0, 0.5, 300.0)  # seconds after 1,000 new judgments, seconds when nothing changed, MB of a process
FREEZE = 10.0  # seconds
RUNS = {"S": 10, "M": 100, "L": 300}
WALK = f"{'every page':30}{'s':>9}{'cpu s':>8}{'queries':>9}{'rows':>10}{'kB':>9}"
MORE, LARGER = 3, 2  # times as much, from which on it is said; times as large, that explains it
LEAST_ROWS, LEAST_CPU = 5000, 0.05  # of the larger size, below which nothing is said

Figures = list[float]  # of a page: seconds, of the processor, queries, rows, bytes
HEAD = f"{'':30}{'first s':>9}{'cpu s':>8}{'again s':>9}{'cpu s':>8}{'queries':>9}{'kB':>7}{'MB':>7}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="S,M,L")
    parser.add_argument("--databases", default="postgresql")
    parser.add_argument("--rounds", type=int, default=1)
    chosen = parser.parse_args()
    failed = False
    for database in chosen.databases.split(","):
        walks: dict[str, dict[str, Figures]] = {}
        for size in chosen.size.split(","):
            with new_database(database) as url, new_folder() as var:
                as_served = {"NUMPY_MADVISE_HUGEPAGE": "0"}  # manage.py sets it, and the server inherits it
                environment = {**os.environ, **as_served, "DATABASE_URL": url, "TOUCHSTONE_VAR": str(var)}
                failed |= _measure(environment, f"{database} {size}", size, chosen.rounds) and size == "L"
                walks[size] = _walk(environment, size)
        _say_growth(walks)
    return int(failed)


def _measure(environment: Mapping[str, str], title: str, size: str, rounds: int) -> bool:
    """Whether something took more than it may."""
    print(f"{title}\n{HEAD}", flush=True)
    _process(environment, "make", size)
    deeds = {"columns kept": _process(environment, "keep")}
    for page in FOR_NOBODY:
        _print_page(f"{page.partition('?')[0]}, not made", *_opened(environment, page, 1))
    deeds["results made"] = _process(environment, "results")
    _process(environment, "judge", "1000")
    is_slow = False
    for page in PAGES:
        first, again = _opened(environment, page, rounds)
        is_slow |= first[0] > AIMS[0] or again[0] > AIMS[1] or again[4] > AIMS[2]
        _print_page(page.partition("?")[0], first, again)
    for name, deed in (("results made anew", "results"), ("1,000 more kept", "keep"), ("frozen", "freeze")):
        deeds[name] = _process(environment, deed)
    for name, line in deeds.items():
        seconds, cpu, megabytes = json.loads(line)
        print(f"  {name:28}{seconds:9.2f}{cpu:8.2f}{megabytes:40.0f}", flush=True)
    return is_slow or json.loads(deeds["frozen"])[0] > FREEZE


def _opened(environment: Mapping[str, str], page: str, rounds: int) -> tuple[Figures, Figures]:
    """Of the first time in a process, and of the second."""
    opened = [[json.loads(line) for line in _process(environment, "open", page).splitlines()] for _ in range(rounds)]
    first, again = ([median(figures) for figures in zip(*each, strict=True)] for each in zip(*opened, strict=True))
    return first, again


def _print_page(name: str, first: Figures, again: Figures) -> None:
    times = f"{first[0]:9.2f}{first[1]:8.2f}{again[0]:9.2f}{again[1]:8.2f}"
    print(f"  {name:28}{times}{first[2]:9.0f}{first[3] / 1000:7.0f}{again[4]:7.0f}", flush=True)


def _walk(environment: Mapping[str, str], size: str) -> dict[str, Figures]:
    """Figures of every page by its name."""
    _process(environment, "runs", str(RUNS[size]), program="walk.py")
    lines = map(json.loads, _process(environment, "pages", program="walk.py").splitlines())
    pages = {name: figures for name, *figures in lines}
    print(WALK)
    for name, (seconds, cpu, queries, rows, size_) in pages.items():
        print(f"  {name:28}{seconds:9.3f}{cpu:8.3f}{queries:9}{rows:10}{size_ / 1000:9.1f}", flush=True)
    return pages


def _say_growth(walks: Mapping[str, dict[str, Figures]]) -> None:
    for (small, before), (large, after) in pairwise(walks.items()):
        print(f"{large} over {small}{'':24}{'cpu':>8}{'queries':>9}{'rows':>10}{'kB':>9}")
        for name in after:
            _say_growth_of(name, before.get(name, after[name]), after[name])


def _say_growth_of(name: str, before: Figures, after: Figures) -> None:
    cpu, queries, rows, kb = (b / max(a, 1e-3) for a, b in zip(before[1:], after[1:], strict=True))
    more_rows, more_cpu = rows >= MORE and after[3] >= LEAST_ROWS, cpu >= MORE and after[1] >= LEAST_CPU
    if kb < LARGER and (more_rows or more_cpu):
        print(f"  {name:28}{cpu:8.1f}{queries:9.1f}{rows:10.1f}{kb:9.1f}", flush=True)


def _process(environment: Mapping[str, str], *arguments: str, program: str = "judged_campaign.py") -> str:
    command = [sys.executable, str(ROOT / "benchmarks" / "load" / program), *arguments]
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    sys.exit(main())
