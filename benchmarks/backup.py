"""Claim: a backup of a million judgments takes 10 s while people judge, and restores to the same rows.

    python benchmarks/backup.py [--size S] [--databases sqlite,postgresql] [--people 8] [--restore]

A campaign (S, 100k, M, L, 1M: load/judged_campaign.py) lies in a new database. People judge a batch beside it, who
think for a second, at first alone and then while `manage.py backup` runs. Printed are its seconds by the clock and of
the processor (its own; those of the web server and of the database server), its MB and those of the file, and for how
many milliseconds a judgment waits for its answer, in the middle and at most, alone and beside. Every judgment that was
acknowledged before the backup began must be in it, none of those sent after its end may. `--restore`: it is restored
into another new database, whose own backup must have the same rows. Exits with 1 where one of these fails, or where of
half a million judgments or more a million take longer than 10 s.
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

from load.database import ROOT, new_database, new_folder
from load.people import Figures, judge_together
from load.server import Prepared, Server

AIM = 10.0  # seconds a million judgments
ALONE = 8.0  # seconds
SPELL = 4.0  # seconds of judging until it is asked whether the backup has ended
THINK = 1.0
PAIRS = 6000
JUDGMENTS = "tables/annotation_judgment.jsonl"
NOT_ROWS = ("django_session", "annotation_installation")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="S")
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--people", type=int, default=8)
    parser.add_argument("--restore", action="store_true")
    chosen = parser.parse_args()
    wrong = list[str]()
    for database in chosen.databases.split(","):
        for size in chosen.size.split(","):
            with new_database(database) as url, new_folder() as var:
                print(f"{database} {size}, load {os.getloadavg()[0]:.1f}", flush=True)
                server = Server(var, url)
                _run(server, "benchmarks/load/judged_campaign.py", "make", size)
                (batch,) = server.prepare([chosen.people], pairs=PAIRS)
                wrong += _measure(server, batch, var / "one.zip")
                if chosen.restore:
                    wrong += _restored(database, var / "one.zip")
    print("\n".join(wrong))
    return int(bool(wrong))


def _measure(server: Server, batch: Prepared, path: Path) -> list[str]:
    with server:
        alone = judge_together(server.port, batch, think=THINK, seconds=ALONE)
        beside, ended = Figures(), threading.Event()
        others = threading.Thread(target=_judge_until, args=(ended, server.port, batch, beside))
        others.start()
        time.sleep(THINK)
        began, used = time.perf_counter(), _used(server)
        _run(server, "manage.py", "backup", str(path))
        took, (own, database, megabytes) = time.perf_counter() - began, _since(server, used)
        ended.set()
        others.join()
        after = judge_together(server.port, batch, think=0, seconds=1)
    wrong = server.wrong(batch, {**alone.acknowledged, **beside.acknowledged, **after.acknowledged})
    wrong += [*alone.errors, *beside.errors, *after.errors]
    tokens = set(_tokens(path))
    wrong += [f"{token} is not in the backup" for token in alone.acknowledged.keys() - tokens]
    wrong += [f"{token} is in the backup" for token in after.acknowledged.keys() & tokens]
    a_million = 1e6 * took / len(tokens)
    print(
        f"  {len(tokens):,} judgments: {took:.1f} s ({a_million:.1f} a million), of the processor {own:.1f} and "
        f"{database:.1f}; {megabytes:.0f} MB, file {path.stat().st_size / 1e6:.0f} MB\n"
        f"  ms of a judgment: alone {_waits(alone)}, beside {_waits(beside)}",
        flush=True,
    )
    return wrong + ([f"{a_million:.1f} s a million judgments"] if a_million > AIM and len(tokens) > 500_000 else [])


def _judge_until(ended: threading.Event, port: int, batch: Prepared, figures: Figures) -> None:
    while not ended.is_set():
        part = judge_together(port, batch, think=THINK, seconds=SPELL)
        figures.latency += part.latency
        figures.acknowledged |= part.acknowledged
        figures.errors += part.errors


def _waits(figures: Figures) -> str:
    return f"{1000 * figures.quantile(0.5):.0f} and {1000 * figures.quantile(1.0):.0f} ({len(figures.latency)})"


def _restored(kind: str, path: Path) -> list[str]:
    with new_database(kind) as url, new_folder() as var:
        other = Server(var, url)
        began = time.perf_counter()
        _run(other, "manage.py", "restore", str(path))
        print(f"  restored in {time.perf_counter() - began:.1f} s", flush=True)
        _run(other, "manage.py", "backup", str(var / "two.zip"))
        one, two = (dict(_digests(each)) for each in (path, var / "two.zip"))
    return [f"{name} differs once restored" for name in one.keys() | two.keys() if one.get(name) != two.get(name)]


def _digests(path: Path) -> Iterator[tuple[str, str]]:
    with ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith("tables/") and Path(name).stem not in NOT_ROWS:
                with archive.open(name) as member:
                    yield name, hashlib.file_digest(member, "sha256").hexdigest()


def _tokens(path: Path) -> Iterator[str]:
    with ZipFile(path) as archive:
        columns = json.loads(archive.read("manifest.json"))["tables"]["annotation_judgment"]["columns"]
        at = columns.index("token")
        with archive.open(JUDGMENTS) as lines:
            for line in lines:
                yield json.loads(line)[at]


def _used(server: Server) -> tuple[float, float]:
    """Seconds of the processor: of processes that have ended, and of those that run, the database server's too."""
    mine = resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime, server.cpu_seconds()


def _since(server: Server, before: tuple[float, float]) -> tuple[float, float, float]:
    own, rest = (after - earlier for after, earlier in zip(_used(server), before, strict=True))
    return own, rest, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def _run(server: Server, *command: str) -> None:
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=server.environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    sys.exit(main())
