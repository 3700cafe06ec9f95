"""Claim: a million judgments of 0.2.0 are migrated in 120 s, and on PostgreSQL nobody waits over 2 s meanwhile.

    python benchmarks/migration.py [--size S] [--databases sqlite,postgresql]

A campaign (S, 100k, M, L, 1M: load/judged_campaign.py) is written into a new database, which is then taken back to the
migrations of 0.2.0, the last release. Then `manage.py migrate` runs, as an operator would call it. Printed are its
seconds by the clock and of its processor, and the migrations that took longest. On PostgreSQL somebody for each large
table reads a row and writes it as it is, every 50 ms: printed is how long they waited at most, at which table, and what
was applied at that moment. Exits with 1 where a million judgments take longer than 120 s or somebody waits over 2 s.
"""

import argparse
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg
from load.database import ROOT, conninfo, new_database, new_folder

RELEASED = {"evaluation": "0002", "annotation": "0006"}  # the last migrations of 0.2.0; what builds on others first
AIM, LONGEST = 120.0, 2.0  # seconds
PACE = 0.05  # seconds
SHOWN = 4
# Of each table a column that is the same before and after.
TABLES = {
    "annotation_judgment": "grade",
    "annotation_assignment": "state",
    "annotation_slot": "state",
    "annotation_item": "n_judged",
    "annotation_participation": "n_judged",
    "annotation_batch": "name",
    "annotation_annotator": "pseudonym",
    "annotation_topic": "number",
    "annotation_documentversion": "title",
}


@dataclass
class Watch:
    """`at_work`: the migration that is being applied. `waits`: seconds, the table, and the migration."""

    at_work: str = ""
    is_over: bool = False
    waits: list[tuple[float, str, str]] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="S")
    parser.add_argument("--databases", default="sqlite,postgresql")
    chosen = parser.parse_args()
    is_slow = False
    for database in chosen.databases.split(","):
        for size in chosen.size.split(","):
            with new_database(database) as url, new_folder() as var:
                environment = {**os.environ, "DATABASE_URL": url, "TOUCHSTONE_VAR": str(var)}
                _prepare(environment, size)
                print(f"{database} {size}, load {os.getloadavg()[0]:.1f}", flush=True)
                is_slow |= _measure(environment, url)
    return int(is_slow)


def _prepare(environment: Mapping[str, str], size: str) -> None:
    program = [sys.executable, str(ROOT / "benchmarks" / "load" / "judged_campaign.py"), "make", size]
    subprocess.run(program, env=environment, check=True)
    for app, name in RELEASED.items():
        back = [sys.executable, "manage.py", "migrate", app, name, "-v0"]
        subprocess.run(back, cwd=ROOT, env=environment, check=True)


def _measure(environment: Mapping[str, str], url: str) -> bool:
    """Whether it took too long."""
    watch = Watch()
    with _beside(url, watch):
        began, used = time.perf_counter(), _used()
        seconds = _migrate(environment, watch)
        took, cpu = time.perf_counter() - began, _used() - used
    longest = sorted(seconds.items(), key=lambda each: -each[1])[:SHOWN]
    print(f"  {took:.1f} s, of the processor {cpu:.1f}: " + ", ".join(f"{name} {s:.1f}" for name, s in longest))
    for wait, table, migration in sorted(watch.waits, reverse=True)[:SHOWN]:
        print(f"  waited {1000 * wait:.0f} ms for {table} during {migration or 'the start'}", flush=True)
    return took > AIM or (bool(watch.waits) and max(watch.waits)[0] > LONGEST)


def _migrate(environment: Mapping[str, str], watch: Watch) -> dict[str, float]:
    """Seconds of each migration."""
    command, seconds = [sys.executable, "-u", "manage.py", "migrate", "--no-color"], dict[str, float]()
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line, began = "", time.perf_counter()
        while sign := process.stdout.read(1):
            line += sign
            if line.endswith("..."):
                watch.at_work, began = line[:-3].removeprefix("  Applying "), time.perf_counter()
            if sign == "\n":
                if line.endswith(" OK\n"):
                    seconds[watch.at_work] = time.perf_counter() - began
                line = ""
    if process.returncode:
        raise SystemExit("migrate failed")
    return seconds


@contextmanager
def _beside(url: str, watch: Watch) -> Iterator[None]:
    """On PostgreSQL somebody for each table, who needs its first row again and again."""
    people = [
        threading.Thread(target=_use, args=(conninfo(url), table, watch))
        for table in TABLES
        if url.startswith("postgres://")
    ]
    for person in people:
        person.start()
    try:
        yield
    finally:
        watch.is_over = True
        for person in people:
            person.join()


def _use(address: str, table: str, watch: Watch) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        (key,) = connection.execute(f"SELECT min(id) FROM {table}").fetchone() or (0,)  # noqa: S608 -- ours
        write = f"UPDATE {table} SET {TABLES[table]} = {TABLES[table]} WHERE id = {key}"  # noqa: S608 -- ours
        while not watch.is_over:
            for statement in (f"SELECT {TABLES[table]} FROM {table} WHERE id = {key}", write):  # noqa: S608 -- ours
                began, migration = time.perf_counter(), watch.at_work
                connection.execute(statement)
                watch.waits.append((time.perf_counter() - began, table, migration))
            time.sleep(PACE)


def _used() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    sys.exit(main())
