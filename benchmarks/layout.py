"""Claim: a company's batch is laid out within 60 s, 500 MB and 1.2 million slots.

    python benchmarks/layout.py [--pairs 300000] [--people 800] [--gold 20000] [--databases postgresql]

300 topics (fewer pairs, fewer topics) share their documents; so many ordinary pairs and so many gold pairs stand in
the pool, three judgments a pair, 12 % gold, blocks of 25. Printed are the seconds of the dry run and of laying out,
the most memory that the process held by then in MB, the load of the machine, slots, items in the stock, the gold
that people are to expect on average, and of the transactions that wrote the layout how many there were and how long the
longest and the one in the middle took. Then the batch is deleted, and the same is printed of that. Exits with 1 where
an aim is missed on PostgreSQL.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "touchstone.settings"

from load.database import new_database  # noqa: E402 -- the root of the project is found first

SECONDS, MEGABYTES, SLOTS = 60, 500, 1_200_000
TOPICS = 300

T = TypeVar("T")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=300_000)
    parser.add_argument("--people", type=int, default=800)
    parser.add_argument("--gold", type=int, default=20_000)
    parser.add_argument("--databases", default="postgresql")
    parser.add_argument("--make", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.make or chosen.one:
        return _make(chosen) if chosen.make else _measure(chosen)
    failed = 0
    for database in chosen.databases.split(","):
        with ExitStack() as stack:
            os.environ["DATABASE_URL"] = stack.enter_context(new_database(database))
            print(database, flush=True)
            subprocess.run([sys.executable, *sys.argv, "--make"], check=True)
            done = subprocess.run([sys.executable, *sys.argv, "--one"], check=False)  # memory of its own
            failed |= done.returncode != 0 and database == "postgresql"
    return int(failed)


def _make(chosen: argparse.Namespace) -> int:
    import django  # noqa: PLC0415 -- the database is made first

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415
    from load.company import make_company  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    n_topics = max(1, min(TOPICS, chosen.pairs // 100))
    make_company(n_topics=n_topics, n_pairs=chosen.pairs, n_gold=chosen.gold, n_people=chosen.people)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # by itself a server counts the rows it has a while after they came
    return 0


def _measure(_: argparse.Namespace) -> int:
    import django  # noqa: PLC0415 -- as above

    django.setup()
    from annotation.batches.steps.deletion import delete_batch  # noqa: PLC0415
    from annotation.batches.steps.layout import begin_layout, dry_run, part  # noqa: PLC0415
    from annotation.kernel.jobs import do_here  # noqa: PLC0415
    from annotation.models import Batch, Slot, StockItem  # noqa: PLC0415

    batch = Batch.objects.get()
    planned, seconds = _timed(lambda: dry_run(batch))
    _report("dry run", seconds)
    took = _listened_to(part.Pace)
    job, seconds = _timed(lambda: do_here(begin_layout(batch)))
    megabytes = _report("laying out", seconds)
    if job.error:
        print(job.error)
        return 1
    n_slots, people = Slot.objects.count(), [person.n_gold for person in planned.people]
    print(f"slots {n_slots:,}, stock {StockItem.objects.count():,}, gold for a person {sum(people) / len(people):.1f}")
    _print_portions(took)
    _, deleting = _timed(lambda: delete_batch(Batch.objects.get(), actor=None))
    _report("deleting", deleting)
    _print_portions(took)
    return int(seconds > SECONDS or megabytes > MEGABYTES or n_slots > SLOTS)


def _listened_to(pace: type[Any]) -> list[float]:
    """What each portion takes, from now on."""
    took, slower = list[float](), pace.took

    def listening(self: Any, seconds: float) -> None:
        took.append(seconds)
        slower(self, seconds)

    pace.took = listening
    return took


def _print_portions(took: list[float]) -> None:
    """And forget them."""
    print(f"{len(took):,} portions, median {1000 * median(took):.0f} ms, longest {1000 * max(took):.0f} ms")
    took.clear()


def _report(name: str, seconds: float) -> float:
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    load = os.getloadavg()[0]
    print(
        f"{name:12}{seconds:8.1f} s{megabytes:8.0f} MB, load {load:.1f}, {time.process_time():.1f} s here", flush=True
    )
    return megabytes


def _timed(step: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    return step(), time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
