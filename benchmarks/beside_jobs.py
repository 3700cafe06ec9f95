"""Claim: on SQLite, where one writes at a time, no import, layout or deletion keeps people who judge waiting: each of
their transactions has the lock for 100 ms at most, in 99 of 100, and 99 of 100 answers come within 250 ms.

    python benchmarks/beside_jobs.py [--seconds 20] [--people 16] [--documents 20000] [--pairs 20000]

A new file with `synchronous = FULL`; `manage.py serve`, without workers; people who think for a second. In turns: they
are alone, then beside a process that imports files of so many documents, then beside one that lays a batch of so many
pairs out and deletes it, over and over. Printed are the milliseconds from sending a grade to its answer (the 50th,
95th, 99th of 100, the longest), errors; and of the process's transactions how many there were, and for how many
milliseconds they had the lock, by the clock and of the processor (the one in the middle, the 99th of 100, the longest).
Exits with 1 where a judgment was lost, doubled or answered with an error. Milliseconds by the clock are those of the
machine as it is: a busy one has others.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from load.database import new_database, new_folder  # noqa: E402 -- the root of the project is found first
from load.people import Figures, judge_together  # noqa: E402
from load.server import Server  # noqa: E402

THINK = 1.0  # seconds
START = 3.0  # seconds until a process is at work
N_TOPICS, N_PEOPLE, GOLD = 100, 80, 15  # of the batch that is laid out; one pair in so many is gold
HEAD = f"{'':26}{'p50':>8}{'p95':>8}{'p99':>8}{'longest':>9}{'errors':>8}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each setting (default: %(default)s)")
    parser.add_argument("--people", type=int, default=16)
    parser.add_argument("--documents", type=int, default=20_000, help="of a file")
    parser.add_argument("--pairs", type=int, default=20_000, help="of a layout")
    parser.add_argument("--work", choices=["importing", "laying out"], help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        return _work(chosen)
    with new_database("sqlite") as url, new_folder() as var:
        return _measure(chosen, Server(var, url))


def _measure(chosen: argparse.Namespace, server: Server) -> int:
    settings = (None, "importing", "laying out")
    batches = server.prepare([chosen.people] * len(settings), pairs=100 + int(chosen.people * chosen.seconds))
    n_wrong = 0
    print(f"{chosen.people} people, load {os.getloadavg()[0]:.1f}\n{HEAD}", flush=True)
    with server:
        for work, batch in zip(settings, batches, strict=True):
            with ExitStack() as stack:
                holds = stack.enter_context(_at_work(work, server)) if work else None
                figures = judge_together(server.port, batch, think=THINK, seconds=chosen.seconds)
            wrong = [*figures.errors, *server.wrong(batch, figures.acknowledged)]
            n_wrong += len(wrong)
            print(_line(f"  beside {work}" if work else "  alone", figures, wrong), flush=True)
            if holds:
                _print_holds(holds)
    return int(bool(n_wrong))


@contextmanager
def _at_work(work: str, server: Server) -> Iterator[Path]:
    """A process that works all the while; the path of what it writes down of its transactions."""
    path = server.var / f"{work}.txt"
    with (server.var / "work.log").open("ab") as log:
        command = [sys.executable, __file__, *sys.argv[1:], "--work", work]
        process = subprocess.Popen(command, env={**server.environment, "HOLDS": str(path)}, stdout=log, stderr=log)
        while not path.exists() and process.poll() is None:
            time.sleep(0.1)
        time.sleep(START)
        yield path
        if process.poll() is not None:
            raise SystemExit((server.var / "work.log").read_text(errors="replace")[-2000:])
        process.kill()
        process.wait()


def _work(chosen: argparse.Namespace) -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "touchstone.settings"
    import django  # noqa: PLC0415 -- the database is made first

    django.setup()
    from load.company import make_company  # noqa: PLC0415

    size = {"n_pairs": chosen.pairs, "n_gold": chosen.pairs // GOLD, "n_topics": N_TOPICS, "n_people": N_PEOPLE}
    batch = make_company(**size, slug=chosen.work.replace(" ", "-"))
    _listen(os.open(os.environ["HOLDS"], os.O_CREAT | os.O_APPEND | os.O_WRONLY))
    for n in count():
        if chosen.work == "importing":
            _import(batch, chosen.documents, n)
        else:
            batch = _lay_out(batch)
    return 0


def _listen(file: int) -> None:
    """Of each transaction from now on, in child processes too, write down for how many milliseconds it has the lock."""
    from django.db.backends.sqlite3.base import DatabaseWrapper  # noqa: PLC0415 -- as above

    begin, commit = DatabaseWrapper._start_transaction_under_autocommit, DatabaseWrapper._commit  # noqa: SLF001

    clocks = time.perf_counter, time.process_time

    def beginning(self: Any) -> None:
        begin(self)
        self.began = [now() for now in clocks]

    def committing(self: Any) -> None:
        commit(self)
        clock, processor = (1000 * (now() - at) for now, at in zip(clocks, self.began, strict=True))
        os.write(file, f"{clock:.2f} {processor:.2f}\n".encode())

    DatabaseWrapper._start_transaction_under_autocommit = beginning  # type: ignore[method-assign]  # noqa: SLF001
    DatabaseWrapper._commit = committing  # type: ignore[attr-defined]  # noqa: SLF001


def _import(batch: Any, n_documents: int, n: int) -> None:
    from django.core.management import call_command  # noqa: PLC0415 -- as above

    lines = (json.dumps({"docno": f"late-{n}-{each}", "text": "word " * 200}) for each in range(n_documents))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("\n".join(lines))
        file.flush()
        call_command("import_documents", batch.collection.slug, file.name)


def _lay_out(batch: Any) -> Any:
    """And delete; gives another draft."""
    from annotation.batches.steps.batches import BatchSettings, create_batch  # noqa: PLC0415 -- as above
    from annotation.batches.steps.deletion import delete_batch  # noqa: PLC0415
    from annotation.batches.steps.layout.laying_out import Unwatched, lay_out_in_portions  # noqa: PLC0415

    collection, pool = batch.collection, batch.pool
    lay_out_in_portions(batch, actor=None, watch=Unwatched())
    delete_batch(batch, actor=None)
    settings = BatchSettings(name="Company", pool=pool, seed=1)
    topics, people = collection.topics.all(), collection.annotators.filter(simulated=True)
    return create_batch(collection, settings=settings, topics=topics, annotators=people, actor=None)


def _print_holds(path: Path) -> None:
    holds = np.loadtxt(path, ndmin=2)
    for name, ms in zip(("the clock", "the processor"), holds.T, strict=True):
        p50, p99 = np.quantile(ms, [0.5, 0.99])
        print(f"    {len(ms):,} transactions, ms of {name}: {p50:.0f}, {p99:.0f}, {ms.max():.0f}", flush=True)


def _line(name: str, figures: Figures, wrong: list[str]) -> str:
    p50, p95, p99, longest = (1000 * figures.quantile(q) for q in (0.5, 0.95, 0.99, 1.0))
    numbers = f"{p50:8.1f}{p95:8.1f}{p99:8.1f}{longest:9.1f}{len(wrong):8}"
    return f"{name:26}{numbers}" + "".join(f"\n    {each}" for each in wrong[:5])


if __name__ == "__main__":
    if "--work" not in sys.argv:
        os.environ.pop("DATABASE_URL", None)
    sys.exit(main())
