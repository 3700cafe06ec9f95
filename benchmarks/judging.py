"""Claim: judging keeps up with those who judge, durably, on two cores that the simulated people share with the server.

    python benchmarks/judging.py [--seconds 4] [--people 8,32,64] [--databases sqlite,postgresql]
                                 [--pace saturated,thinking]

Each database is new: a file with `synchronous = FULL`, or a PostgreSQL server with its own defaults (`fsync` and
`synchronous_commit` on; the tests' server, which is not durable, is not used). Each setting judges a batch of its own,
laid out with gold as any other. The server is `manage.py serve`. The people are threads of one
process with plain sockets: each keeps its connection as long as the server does, sends a grade as the page's script
would, naming the cards it holds ahead, and goes on with the card that the answer names. Saturated: the next grade at
once. Thinking: after four seconds, give or take two.

Printed are the milliseconds from sending a grade to having read its answer (the 50th, 95th and 99th of 100),
judgments a second, milliseconds of the processors that the server took for one (its database server's too), how often
the next card was not there when a grade went, and errors. After each setting the rows are counted: a judgment lost or
doubled, or any error, fails the program. Aims, on two cores at rest: saturated at 8, 250 a second on SQLite and 180 on
PostgreSQL; thinking at 64, 95 of 100 within 150 ms.
"""

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from load.database import new_database, new_folder  # noqa: E402 -- the root of the project is found first
from load.people import Figures, judge_together  # noqa: E402
from load.server import Server  # noqa: E402

from tests.postgres import DURABLE  # noqa: E402

PEOPLE = [8, 32, 64]
PACES = {"saturated": 0.0, "thinking": 4.0}
DATABASES = ["sqlite", "postgresql"]
HEAD = f"{'':28}{'p50':>8}{'p95':>8}{'p99':>8}{'a second':>10}{'cpu ms':>8}{'waited':>8}{'errors':>8}"


def main() -> int:
    chosen = _choices()
    failed = False
    for database in chosen.databases.split(","):
        print(f"{database}\n{HEAD}", flush=True)
        with new_database(database, settings=DURABLE) as url:
            failed |= _measure(url, database, chosen)
    return int(failed)


def _choices() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each setting (default: %(default)s)")
    parser.add_argument("--people", default=",".join(map(str, PEOPLE)))
    parser.add_argument("--databases", default=",".join(DATABASES))
    parser.add_argument("--pace", default=",".join(PACES))
    return parser.parse_args()


def _measure(url: str, database: str, chosen: argparse.Namespace) -> bool:
    """Every setting on this database; whether one of them failed."""
    people = [int(n) for n in chosen.people.split(",")]
    paces = chosen.pace.split(",")
    failed = False
    with new_folder() as var:
        server = Server(var, url)
        settings = [(pace, n) for pace in paces for n in people]
        batches = server.prepare([n for _, n in settings], pairs=_pairs(chosen.seconds))
        with server:
            for (pace, n), batch in zip(settings, batches, strict=True):
                before = server.cpu_seconds()
                figures = judge_together(server.port, batch, think=PACES[pace], seconds=chosen.seconds)
                spent = server.cpu_seconds() - before
                wrong = [*figures.errors, *server.wrong(batch, figures.acknowledged)]
                print(_line(f"  {n} people, {pace}", figures, spent, wrong), flush=True)
                failed |= bool(wrong)
    return failed


def _pairs(seconds: float) -> int:
    """Enough for a minute at a thousand a second, in proportion; nobody meets a pair twice."""
    return 400 + int(200 * seconds)


def _line(name: str, figures: Figures, spent: float, wrong: list[str]) -> str:
    p50, p95, p99 = (1000 * figures.quantile(q) for q in (0.5, 0.95, 0.99))
    n = max(1, len(figures.latency))
    numbers = (
        f"{p50:8.1f}{p95:8.1f}{p99:8.1f}{figures.rate:10.1f}{1000 * spent / n:8.2f}{figures.waited:8}{len(wrong):8}"
    )
    return f"{name:28}{numbers}" + "".join(f"\n    {each}" for each in wrong[:5])


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    sys.exit(main())
