"""Claim: the next block of a person is found within 5 ms in a batch of 300,000 pairs on PostgreSQL.

    python benchmarks/next_block.py [--pairs 3000,30000,300000] [--databases sqlite,postgresql]

A batch of 300 topics (fewer pairs, fewer topics) in blocks of 25, three judgments a pair, is written by a few
statements, as it might be in the middle of the work: a third of the blocks are done, a third begun. Who asks:

    first      somebody who has judged nothing, each time another person
    far ahead  somebody who has judged all of 60 blocks that wait for others; the first time, and again
    at the end somebody who has judged all of the 10 blocks that are left, every other one being done; and whether
               there is work left for them, which the page asks then

Printed are the milliseconds of `next_block` (work left: of `work_left`), with the statement that reads what the
person holds: the median of twenty and the longest, and the number of statements. Exits with 1 where a median on
PostgreSQL is over 5 ms, the first time of who is far ahead apart.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "touchstone.settings"

from load.database import new_database  # noqa: E402 -- the root of the project is found first

AIM = 5.0  # milliseconds
TIMES = 20
BLOCK, TOPICS, AHEAD, LEFT = 25, 300, 60, 10
HEAD = f"{'':34}{'median ms':>11}{'longest':>10}{'statements':>12}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", default="3000,30000,300000")
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        return _measure(chosen.one, [int(n) for n in chosen.pairs.split(",")])
    failed = 0
    for database in chosen.databases.split(","):
        with ExitStack() as stack:
            os.environ["DATABASE_URL"] = stack.enter_context(new_database(database))
            done = subprocess.run([sys.executable, *sys.argv, "--one", database], check=False)
            failed |= done.returncode != 0 and database == "postgresql"
    return int(failed)


def _measure(database: str, sizes: list[int]) -> int:
    """In a process of its own: Django knows one database."""
    import django  # noqa: PLC0415 -- the database is made first

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    print(f"{database}\n{HEAD}", flush=True)
    slow = False
    for n_pairs in sizes:
        slow |= _of_size(n_pairs)
    return int(slow)


def _of_size(n_pairs: int) -> bool:
    from load.half_judged import half_judged_batch  # noqa: PLC0415

    from annotation.judging.steps.next_block import next_block, work_left  # noqa: PLC0415
    from annotation.judging.steps.workspace import Workspace  # noqa: PLC0415
    from annotation.models import Participation  # noqa: PLC0415

    topics = min(TOPICS, n_pairs // 100)
    batch = half_judged_batch(n_topics=topics, n_documents=n_pairs // topics, block_size=BLOCK, n_people=TIMES + 1)
    *newcomers, ahead = batch.people
    batch.judge_whole_blocks(ahead, AHEAD)

    def asked(question: Callable[[Workspace], object], person: Participation) -> object:
        return question(batch.workspace(person))

    figures = {
        "first": _timed([partial(asked, next_block, person) for person in newcomers]),
        "far ahead, the first time": _timed([partial(asked, next_block, ahead)]),
        "far ahead": _timed([partial(asked, next_block, ahead)] * TIMES),
    }
    batch.judge_all_but(LEFT)
    figures |= {
        "at the end": _timed([partial(asked, next_block, ahead)] * TIMES),
        "at the end, work left": _timed([partial(asked, work_left, ahead)] * TIMES),
    }
    for name, (times, statements) in figures.items():
        row = f"{1000 * median(times):11.2f}{1000 * max(times):10.2f}{statements:12}"
        print(f"{f'{n_pairs:,} pairs, {name}':34}{row}", flush=True)
    return any(1000 * median(times) > AIM for name, (times, _) in figures.items() if "time" not in name)


def _timed(calls: list[Callable[[], object]]) -> tuple[list[float], int]:
    """Seconds of each call, after one that compiles the statements; and how many statements the last one took."""
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    if len(calls) > 1:
        calls[0]()
    times = []
    for call in calls:
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    with CaptureQueriesContext(connection) as seen:
        calls[-1]()
    return times, len(seen)


if __name__ == "__main__":
    sys.exit(main())
