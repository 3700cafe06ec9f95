"""Claim: a layout that is killed goes on where it was, is seen by nobody until it is whole, and keeps nobody waiting.

    python benchmarks/layout_kills.py [--pairs 30000] [--people 80] [--gold 2000] [--kills 5]

A process of its own lays a company's batch out; it is killed (SIGKILL) so many times, each time when some more of it is
written, and goes on in a new process. Meanwhile this one writes a row every 20 ms, as judging does. Printed are the
items that were written at each kill, and of the writes how many there were, the one in the middle, the 99th of 100, and
the longest. Exits with 1 where a killed layout is to be seen, where what it comes to in the end is not the plan, or
where one of 100 writes on SQLite takes more than 100 ms.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from statistics import median, quantiles
from typing import Any

from load.database import new_database

WAIT = 0.1  # seconds that judging may wait for SQLite's lock
PAUSE = 0.02


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=30_000)
    parser.add_argument("--people", type=int, default=80)
    parser.add_argument("--gold", type=int, default=2_000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--lay", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--watch", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "touchstone.settings"
    if chosen.lay or chosen.watch:
        return _lay() if chosen.lay else _watch(chosen)
    failed = 0
    for database in chosen.databases.split(","):
        with ExitStack() as stack:
            url = stack.enter_context(new_database(database))
            print(database, flush=True)
            environment = {**os.environ, "DATABASE_URL": url}
            failed |= subprocess.run([sys.executable, *sys.argv, "--watch"], env=environment, check=False).returncode
    return failed


def _lay() -> int:
    import django  # noqa: PLC0415 -- the database is made first

    django.setup()
    from annotation.batches.steps.layout.laying_out import Unwatched, lay_out_in_portions  # noqa: PLC0415
    from annotation.models import Batch  # noqa: PLC0415

    lay_out_in_portions(Batch.objects.get(), actor=None, watch=Unwatched())
    return 0


def _watch(chosen: argparse.Namespace) -> int:
    import django  # noqa: PLC0415 -- as above

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415
    from load.company import make_company  # noqa: PLC0415

    from annotation.batches.steps.layout.prepared import prepare  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    n_topics = max(1, min(300, chosen.pairs // 100))
    batch = make_company(n_topics=n_topics, n_pairs=chosen.pairs, n_gold=chosen.gold, n_people=chosen.people)
    plan = prepare(batch).plan
    times = list[float]()
    for n in range(1, chosen.kills + 1):
        n_items = _until(len(plan.items) * n // (chosen.kills + 1), times)
        print(f"  killed at {n_items:,} of {len(plan.items):,} items", flush=True)
        if batch.__class__.objects.exclude(state="draft").exists():
            print("  it is visible, or was over before it was killed")
            return 1
    _until(None, times)
    slow = quantiles(times, n=100)[98]
    figures = (f"{1000 * seconds:.0f}" for seconds in (median(times), slow, max(times)))
    print(f"  {len(times)} writes, ms: {', '.join(figures)}")
    return int(not _is_whole(batch, plan) or (slow > WAIT and os.environ["DATABASE_URL"].startswith("sqlite")))


def _until(n_items: int | None, times: list[float]) -> int:
    """Lay out until so many items are written, then kill; None: to the end."""
    from annotation.models import Item, User  # noqa: PLC0415 -- as above

    laying = subprocess.Popen([sys.executable, __file__, "--lay"])
    while laying.poll() is None:
        began = time.perf_counter()
        User.objects.filter(username="admin").update(first_name=str(began))
        times.append(time.perf_counter() - began)
        if n_items is not None and Item.objects.count() >= n_items:
            laying.send_signal(signal.SIGKILL)
            laying.wait()
        time.sleep(PAUSE)
    return Item.objects.count()


def _is_whole(batch: Any, plan: Any) -> bool:
    from annotation.kernel.blocks import block_faults  # noqa: PLC0415 -- as above
    from annotation.models import Item, Slot  # noqa: PLC0415 -- as above

    planned = [(item.topic, item.document, item.block, item.shuffle) for item in plan.items]
    batch.refresh_from_db()
    written = list(Item.objects.order_by("pk").values_list("topic", "document", "block", "shuffle"))
    is_whole = written == planned and Slot.objects.count() == plan.n_slots and not block_faults(batch)
    print("  whole, nothing doubled" if is_whole else "  not as the plan has it")
    return is_whole and batch.state == "laid_out"


if __name__ == "__main__":
    sys.exit(main())
