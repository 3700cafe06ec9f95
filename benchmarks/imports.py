"""Claim: files of the sizes that search teams have go in, by command, within these seconds and megabytes.

    python benchmarks/imports.py [--scale 0.02] [--rounds 3] [--only documents,run,qrels,judgments]

100,000 documents (JSONL, about 1 kB each) in 60 s and 500 MB; a run of ten million rows in 6 s and 1.2 GB; a million
rows of qrels in 5 s, whether TREC's, JSONL or CSV; 98,453 judgments of 766 people in 10 s. Each is a whole process,
`manage.py import_…`, which checks the file, stores and publishes it, on SQLite, in a database that is new each time.
Printed are the median of the wall seconds, the seconds of the processors and the largest resident memory of the process
(MB) beside the claim. What is stored is counted: a process that stored something else fails. `--scale 1` makes the full
files, kept in `var/bench`.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "var" / "bench"
SLUG = "bench"
HEAD = f"{'':34}{'wall s':>9}{'cpu s':>9}{'MB':>7}   claim"
FOUND = """
from annotation.models import Collection, ScaleVersion, DEFAULT_GRADES
collection = Collection.objects.create(slug="bench", name="Bench")
collection.scale = ScaleVersion.objects.create(collection=collection, number=1, sha256="0" * 64, grades=DEFAULT_GRADES)
collection.save()
"""


@dataclass(frozen=True)
class Claim:
    """`lines` makes so many rows; `stored` is the count in the answer of the command that tells them."""

    kind: str
    rows: int
    ending: str
    lines: Callable[[int], Iterator[str]]
    stored: str
    seconds: float
    megabytes: int | None = None
    options: tuple[str, ...] = ()


def documents(n: int) -> Iterator[str]:
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 11))) for _ in range(20_000)]
    for i in range(n):
        text = " ".join(rng.choices(words, k=125))
        yield json.dumps({"docno": f"D{i:07}", "title": " ".join(rng.choices(words, k=8)), "text": text}) + "\n"


def run(n: int) -> Iterator[str]:
    rng = random.Random(2)
    for start in range(0, n, 1000):
        found = rng.sample(range(1_000_000), 1000)
        number = 1 + start // 1000
        yield "".join(f"{number} Q0 D{d:07} {i + 1} {30 - i * 0.02:.4f} bench\n" for i, d in enumerate(found))


def qrels(n: int) -> Iterator[str]:
    rng = random.Random(3)
    for start in range(0, n, 1000):
        found = rng.sample(range(1_000_000), 1000)
        number = 1 + start // 1000
        yield "".join(f"{number} 0 D{d:07} {rng.choice((0, 0, 0, 1, 2, 3))}\n" for d in found)


def qrels_objects(n: int) -> Iterator[str]:
    for lines in qrels(n):
        rows = (line.split() for line in lines.splitlines())
        yield "".join(
            f'{{"query_id": "{number}", "doc_id": "{docno}", "relevance": {grade}}}\n'
            for number, _, docno, grade in rows
        )


def qrels_table(n: int) -> Iterator[str]:
    yield "query_id,doc_id,relevance\n"
    for lines in qrels(n):
        rows = (line.split() for line in lines.splitlines())
        yield "".join(f"{number},{docno},{grade}\n" for number, _, docno, grade in rows)


def judgments(n: int) -> Iterator[str]:
    """Five people a pair, 766 in all."""
    rng = random.Random(4)
    yield "number\tdocno\tannotator\tgrade\n"
    for start in range(0, n, 5):
        pair = f"{1 + start // 985}\tD{start // 5:07}"
        people = rng.sample(range(766), 5)[: n - start]
        yield "".join(f"{pair}\tworker-{person}\t{rng.randint(0, 4)}\n" for person in people)


CLAIMS = (
    Claim("documents", 100_000, "jsonl", documents, "New", 60, 500),
    Claim("run", 10_000_000, "run", run, "Rows", 6, 1200),
    Claim("qrels", 1_000_000, "txt", qrels, "Pairs", 5, options=("--name", "bench")),
    Claim("qrels", 1_000_000, "jsonl", qrels_objects, "Pairs", 5, options=("--name", "bench")),
    Claim("qrels", 1_000_000, "csv", qrels_table, "Pairs", 5, options=("--name", "bench")),
    Claim("judgments", 98_453, "tsv", judgments, "Judgments", 10, options=("--name", "bench")),
)


def file_of(claim: Claim, n: int) -> Path:
    """Made once, and whole."""
    file = WORK / f"{claim.kind}-{n}.{claim.ending}"
    if not file.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".part")
        with half.open("w", encoding="utf-8") as stream:
            stream.writelines(claim.lines(n))
        half.rename(file)
    return file


def environment(var: Path) -> dict[str, str]:
    without = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return {**without, "TOUCHSTONE_VAR": str(var)}


def manage(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *arguments]


def prepare(var: Path) -> None:
    """A database with an empty collection."""
    for command in (["migrate", "--verbosity", "0"], ["shell", "--no-imports", "-c", FOUND]):
        subprocess.run(manage(*command), check=True, env=environment(var), stdout=subprocess.DEVNULL)


def take_turn(claim: Claim, file: Path, n: int, prepared: Path) -> tuple[float, float, int]:
    """Wall seconds, seconds of the processors, megabytes of one import into a database of its own."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder, tempfile.TemporaryFile() as said:
        var = Path(folder) / "var"
        shutil.copytree(prepared, var)
        command = manage(f"import_{claim.kind}", SLUG, str(file), "--json", *claim.options)
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=said, env=environment(var))
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        said.seek(0)
        told = json.loads(said.read() or b"{}")
        if status or not told.get("stored") or told["counts"].get(claim.stored) != n:
            raise SystemExit(f"{claim.kind}: {told}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10


def measure(claim: Claim, scale: float, rounds: int, prepared: Path) -> None:
    n = max(1000, round(claim.rows * scale)) // 1000 * 1000 if scale < 1 else claim.rows
    file = file_of(claim, n)
    turns = [take_turn(claim, file, n, prepared) for _ in range(rounds)]
    wall, cpu = (statistics.median(column) for column in list(zip(*turns, strict=True))[:2])
    memory = max(megabytes for _, _, megabytes in turns)
    claimed = f"{claim.seconds:g} s" + (f", {claim.megabytes} MB" if claim.megabytes else "")
    at_full = claimed if scale >= 1 else f"({claimed} for {claim.rows:,})"
    print(f"{f'{n:,} {claim.kind} ({claim.ending})':34}{wall:9.2f}{cpu:9.2f}{memory:7}   {at_full}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=0.02, help="share of the rows; 1 makes the full files")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="some of the claims: documents,run")
    asked = parser.parse_args()
    chosen = [claim for claim in CLAIMS if not asked.only or claim.kind in asked.only.split(",")]
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        prepared = Path(folder) / "var"
        prepare(prepared)
        print(HEAD)
        for claim in chosen:
            measure(claim, asked.scale, asked.rounds, prepared)


if __name__ == "__main__":
    main()
