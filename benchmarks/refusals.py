"""Claim: where the database is locked or its disk is full, everybody is refused within 2 s, and nothing is lost.

    python benchmarks/refusals.py [--people 32] [--seconds 6] [--databases sqlite,postgresql]

People judge, who think for a second. In turn somebody else locks SQLite, and the disk is full; on PostgreSQL somebody
locks the table of slots, and then the rows of the batches. Whoever is refused sends the same again a second later, as
the judging page does after two, until it is saved. Printed are the answers by status and the seconds of the slowest
refusal. Exits with 1 where one took longer than 2 s, nobody was refused, another status came, or a grade was lost or
doubled. The disk is a file system in memory, which root alone can make: whoever else runs it has SQLite locked alone.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import psycopg
from load.database import conninfo, new_database, new_folder
from load.people import Person, judge_together
from load.server import Server

AIM = 2.0  # seconds
REST = 1.0  # seconds until the same is sent again
WARM, BEFORE, AFTER = 1.0, 2.0, 4.0  # seconds of judging: until all processes have loaded, before, after
SIZE = 400  # MB of the disk
DATABASE = "bench.sqlite3"
REFUSED = {503, 507}

LOCKS = {  # of PostgreSQL
    "slots": "LOCK TABLE annotation_slot IN ACCESS EXCLUSIVE MODE",
    "batches": "SELECT id FROM annotation_batch FOR UPDATE",
}

Trouble = Callable[[float], None]  # lasts so many seconds


class Patient(Person):
    """Sends again whatever is refused."""

    answers = Counter[int]()
    slowest = 0.0
    begun = threading.Event()

    def judge(self, *, think: float, until: float) -> None:
        Patient.begun.set()
        super().judge(think=think, until=until)

    def send(self, path: str, body: bytes) -> tuple[int, bytes]:
        while True:
            began = time.perf_counter()
            status, text = super().send(path, body)
            Patient.answers[status] += 1
            if status not in REFUSED:
                return status, text
            Patient.slowest = max(Patient.slowest, time.perf_counter() - began)
            time.sleep(REST)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each trouble (default: %(default)s)")
    parser.add_argument("--databases", default="sqlite,postgresql")
    chosen = parser.parse_args()
    failed = False
    for database in chosen.databases.split(","):
        print(f"{database}, {chosen.people} people, load {os.getloadavg()[0]:.1f}", flush=True)
        with new_folder() as folder:
            if database == "postgresql":
                with new_database(database) as url:
                    troubles = {name: partial(_lock_rows, url, lock) for name, lock in LOCKS.items()}
                    failed |= _measure(chosen, Server(folder, url), troubles)
            else:
                with _disk(folder) as disk:
                    failed |= _measure(chosen, Server(disk, f"sqlite:///{disk / DATABASE}"), _of_sqlite(disk))
    return int(failed)


def _measure(chosen: argparse.Namespace, server: Server, troubles: Mapping[str, Trouble]) -> bool:
    """Whether the claim fails."""
    failed, lasts = False, BEFORE + chosen.seconds + AFTER
    batches = server.prepare([chosen.people] * len(troubles), pairs=500 + int(chosen.people * lasts))
    with server:
        for (name, trouble), batch in zip(troubles.items(), batches, strict=True):
            judge_together(server.port, batch, think=0, seconds=WARM)
            Patient.answers, Patient.slowest, Patient.begun = Counter(), 0.0, threading.Event()
            meanwhile = threading.Thread(target=_make_trouble, args=(trouble, chosen.seconds))
            meanwhile.start()
            figures = judge_together(server.port, batch, think=1.0, seconds=lasts, kind=Patient)
            meanwhile.join()
            wrong = [*figures.errors, *server.wrong(batch, figures.acknowledged)]
            summary = f"  {name:10} {dict(Patient.answers)}, slowest refusal {Patient.slowest:.2f} s"
            print(summary, *wrong[:5], sep="\n    ", flush=True)
            failed |= bool(wrong) or Patient.slowest > AIM or not Patient.slowest
    return failed


def _make_trouble(trouble: Trouble, seconds: float) -> None:
    Patient.begun.wait()
    time.sleep(BEFORE)
    trouble(seconds)


def _of_sqlite(disk: Path) -> dict[str, Trouble]:
    full = {"disk full": partial(_full, disk)} if os.geteuid() == 0 else {}
    return {"locked": partial(_lock_file, disk), **full}


def _lock_file(disk: Path, seconds: float) -> None:
    with closing(sqlite3.connect(disk / DATABASE, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(seconds)


def _lock_rows(url: str, lock: str, seconds: float) -> None:
    with psycopg.connect(conninfo(url)) as connection:
        connection.execute(lock)
        time.sleep(seconds)


def _full(disk: Path, seconds: float) -> None:
    filling = disk / "filling"
    with filling.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"0" * 4096)
        except OSError:
            time.sleep(seconds)
    filling.unlink()


@contextmanager
def _disk(folder: Path) -> Iterator[Path]:
    """For root alone a file system of its own, which can be filled."""
    if os.geteuid() != 0:
        yield folder
        return
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}m,mode=700", "none", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    sys.exit(main())
