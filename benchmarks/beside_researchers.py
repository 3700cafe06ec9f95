"""Claim: researchers never stop annotators. 32 people who think for a second have 95 of 100 answers within 150 ms, and
within 250 ms while researchers keep the same two cores as busy as they can.

    python benchmarks/beside_researchers.py [--size S] [--seconds 10] [--rounds 1] [--people 32] [--servers SERVER,…]
        [--documents 20000]

PostgreSQL, durable, and one machine as docs/deployment.md has it where judging is apart: a web server for judging, one
for everything else, two workers, each a session of its own, as a service is. All of them work on one database, with a
company's campaign in it (S, M, L: scale.py) and a batch for each setting. In turns, `--rounds` times: people alone,
then beside researchers, who ask for eight pages of quality at once, over and over, have one snapshot after another
frozen and one file of `--documents` after another imported, by each of the web servers for everything else: one that is
`like` judging's, and one that gives `way`. Printed are, for each, the milliseconds from sending a grade to its answer
(the 50th, 95th and 99th of 100), judgments a second, and errors. At last, for each such server, the 95th of 100 over
that alone (the median of the rounds: it depends less on the machine than either), and what researchers got done. Exits
with 1 where a judgment was lost, doubled or answered with an error, and at L where the claim does not hold for the last
server.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from load.database import new_database, new_folder  # noqa: E402 -- the root of the project is found first
from load.people import Figures, judge_together  # noqa: E402
from load.server import Server  # noqa: E402

from tests.postgres import DURABLE  # noqa: E402

COMPANY = ROOT / "benchmarks" / "load" / "judged_campaign.py"
SERVERS = {"like": (), "way": ("--give-way",)}  # options of `serve`
WORKERS = 2
REST, IDLE = 20.0, 0.2  # seconds between two settings at most; of the processors, in two seconds
START, SENT = 3.0, 40_000  # seconds until researchers are at work; documents that they send in a second
THINK = 1.0  # seconds
AIMS = (0.150, 0.250)  # seconds: the 95th of 100 alone, and beside researchers
HEAD = f"{'':26}{'p50':>8}{'p95':>8}{'p99':>8}{'a second':>10}{'errors':>8}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="S", choices=["S", "M", "L"])
    parser.add_argument("--seconds", type=float, default=10.0, help="of each setting (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--people", type=int, default=32)
    parser.add_argument("--servers", default=",".join(SERVERS), help="for everything else (default: %(default)s)")
    parser.add_argument("--documents", type=int, default=20_000, help="of a file (default: %(default)s)")
    chosen = parser.parse_args()
    with new_database("postgresql", settings=DURABLE) as url, new_folder() as var, ExitStack() as stack:
        return _measure(chosen, url, var, stack)


def _measure(chosen: argparse.Namespace, url: str, var: Path, stack: ExitStack) -> int:
    judging = Server(var, url, is_service=True)
    for deed in (("make", chosen.size), ("keep",), ("results",)):
        _company(judging, *deed)
    others = {
        f"beside, {name}": Server(var, url, *SERVERS[name], is_service=True) for name in chosen.servers.split(",")
    }
    pairs = 100 + int(chosen.people * chosen.seconds)
    batches = judging.prepare([chosen.people] * (1 + len(others)) * chosen.rounds, pairs=pairs)
    admin = _company(judging, "admin")
    for server in (judging, *others.values()):
        stack.enter_context(server)
    for _ in range(WORKERS):
        stack.enter_context(_worker(judging))
    n = chosen.documents
    settings = {"alone": None, **{name: Researchers(server.port, admin, n) for name, server in others.items()}}
    p95: dict[str, list[float]] = {name: [] for name in settings}
    print(f"{chosen.size}, {chosen.people} people, load {os.getloadavg()[0]:.1f}\n{HEAD}", flush=True)
    n_wrong = 0
    for (name, researchers), batch in zip(list(settings.items()) * chosen.rounds, batches, strict=True):
        _rest(judging)
        with researchers.at_work() if researchers else ExitStack():
            figures = judge_together(judging.port, batch, think=THINK, seconds=chosen.seconds)
        wrong = [
            *figures.errors,
            *judging.wrong(batch, figures.acknowledged),
            *(researchers.errors if researchers else []),
        ]
        print(_line(f"  {name}", figures, wrong), flush=True)
        p95[name].append(figures.quantile(0.95))
        n_wrong += len(wrong)
    for name, researchers in settings.items():
        if researchers:
            ratio = median(beside / alone for beside, alone in zip(p95[name], p95["alone"], strict=True))
            print(f"  {name}: p95 {ratio:.2f} times that alone; {researchers.summary()}")
    holds = [p95["alone"], p95[list(settings)[-1]]]
    return int(bool(n_wrong) or (chosen.size == "L" and any(map(_misses, holds, AIMS))))


def _misses(figures: list[float], aim: float) -> bool:
    return median(figures) > aim


class Researchers:
    """A process of their own, as long as `at_work` lasts; its own share of the processors would be other machines'."""

    def __init__(self, port: int, admin: str, documents: int) -> None:
        program = ROOT / "benchmarks" / "load" / "researchers.py"
        self.command = ["nice", "-n", "19", sys.executable, str(program), str(port), admin, str(documents)]
        self.start = START + documents / SENT
        self.done: Counter[str] = Counter()
        self.seconds: list[float] = []
        self.errors: list[str] = []

    def summary(self) -> str:
        works = ", ".join(f"{n} {name}" for name, n in self.done.items())
        return f"{len(self.seconds)} pages, half of them within {median(self.seconds or [0]):.1f} s; {works}"

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            time.sleep(self.start)
            yield
            answer = json.loads(process.communicate()[0])
        self.done.update(answer["done"])
        self.seconds += answer["seconds"]
        self.errors = answer["errors"]


@contextmanager
def _worker(server: Server) -> Iterator[None]:
    command = [sys.executable, "manage.py", "worker"]
    with (server.var / "worker.log").open("ab") as log:
        worker = subprocess.Popen(
            command, cwd=ROOT, env=server.environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield
    finally:
        worker.terminate()
        worker.wait(60)


def _rest(server: Server) -> None:
    """Until what researchers left behind, the index of new documents above all, is done."""
    deadline = time.monotonic() + REST
    while time.monotonic() < deadline:
        before = server.cpu_seconds()
        time.sleep(2)
        if server.cpu_seconds() - before < IDLE:
            return


def _company(server: Server, *arguments: str) -> str:
    command = [sys.executable, str(COMPANY), *arguments]
    return subprocess.run(command, env=server.environment, stdout=subprocess.PIPE, text=True, check=True).stdout


def _line(name: str, figures: Figures, wrong: list[str]) -> str:
    p50, p95, p99 = (1000 * figures.quantile(q) for q in (0.5, 0.95, 0.99))
    numbers = f"{p50:8.1f}{p95:8.1f}{p99:8.1f}{figures.rate:10.1f}{len(wrong):8}"
    return f"{name:26}{numbers}" + "".join(f"\n    {each}" for each in wrong[:5])


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    sys.exit(main())
