"""Claim: where SQLite is locked or its disk is full, everybody is refused within 2 s, and nothing is lost.

    python benchmarks/refusals.py [--people 32] [--seconds 6]

People judge, who think for a second. In turn another process locks the database, and the disk is full. Whoever is
refused sends the same again a second later, as the judging page does after two, until it is saved. Printed are the
answers by status and the seconds of the slowest refusal. Exits with 1 where one took longer than 2 s, nobody was
refused, another status came, or a grade was lost or doubled. The disk is a file system in memory,
which root alone can make: whoever else runs it has the first part.
"""

import argparse
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from load.database import new_folder
from load.people import Person, judge_together
from load.server import Server

AIM = 2.0  # seconds
REST = 1.0  # seconds until the same is sent again
WARM, BEFORE, AFTER = 1.0, 3.0, 4.0  # seconds of judging: until all processes have loaded, before, after
SIZE = 400  # MB of the disk
DATABASE = "bench.sqlite3"
REFUSED = {503, 507}

LOCK = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
time.sleep(float(sys.argv[2]))
"""


class Patient(Person):
    """Sends again whatever is refused."""

    answers = Counter[int]()
    slowest = 0.0

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
    chosen = parser.parse_args()
    is_root = os.geteuid() == 0
    troubles = {"locked": _locked, **({"disk full": _full} if is_root else {})}
    print(f"{chosen.people} people, load {os.getloadavg()[0]:.1f}", flush=True)
    failed = False
    with new_folder() as folder, _disk(folder) if is_root else new_folder() as disk:
        server = Server(disk, f"sqlite:///{disk / DATABASE}")
        lasts = BEFORE + chosen.seconds + AFTER
        pairs = 500 + int(chosen.people * lasts)
        batches = server.prepare([chosen.people] * len(troubles), pairs=pairs)
        with server:
            for (name, trouble), batch in zip(troubles.items(), batches, strict=True):
                judge_together(server.port, batch, think=0, seconds=WARM)
                Patient.answers, Patient.slowest = Counter(), 0.0
                meanwhile = threading.Timer(BEFORE, trouble, args=(disk, chosen.seconds))
                meanwhile.start()
                figures = judge_together(server.port, batch, think=1.0, seconds=lasts, kind=Patient)
                meanwhile.join()
                wrong = [*figures.errors, *server.wrong(batch, figures.acknowledged)]
                summary = f"  {name:10} {dict(Patient.answers)}, slowest refusal {Patient.slowest:.2f} s"
                print(summary, *wrong[:5], sep="\n    ", flush=True)
                failed |= bool(wrong) or Patient.slowest > AIM or not Patient.slowest
    return int(failed)


def _locked(disk: Path, seconds: float) -> None:
    subprocess.run([sys.executable, "-c", LOCK, str(disk / DATABASE), str(seconds)], check=True)


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
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}m,mode=700", "none", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    sys.exit(main())
