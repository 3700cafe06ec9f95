"""Claim: files of the sizes that search teams have go in, by command, within these seconds and megabytes.

    python benchmarks/imports.py [--scale 0.02] [--rounds 3] [--only documents,run,qrels,judgments,folder,bundle]

100,000 documents (JSONL, about 1 kB each) in 60 s and 500 MB; a run of ten million rows in 6 s and 1.2 GB; a million
rows of qrels in 5 s, whether TREC's, JSONL or CSV; 98,453 judgments of 766 people in 10 s. Without a claim: the same
documents with 1000 topics and 100,000 qrels as a BEIR folder, and what comes of it with the judgments and a run of a
million rows as a bundle, each as a new collection. Each is a whole process, `manage.py import_…`, which checks the
file, stores and publishes it, on SQLite, in a database that is new each time. Printed are the median of the wall
seconds, the seconds of the processors and the largest resident memory of the process (MB) beside the claim. What is
stored is counted: a process that stored something else fails. `--scale 1` makes the full files, kept in `var/bench`.
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
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "var" / "bench"
SLUG = "bench"
HEAD = f"{'':34}{'wall s':>9}{'cpu s':>9}{'MB':>7}   claim"
SETUP = """
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


@dataclass(frozen=True)
class Settings:
    """The size and number of the measurements, and a database to begin with."""

    scale: float
    rounds: int
    prepared: Path

    def share_of(self, rows: int) -> int:
        return rows if self.scale >= 1 else max(1000, round(rows * self.scale)) // 1000 * 1000


def documents(n: int) -> Iterator[str]:
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 11))) for _ in range(20_000)]
    for i in range(n):
        text = " ".join(rng.choices(words, k=125))
        yield json.dumps({"docno": f"D{i:07}", "title": " ".join(rng.choices(words, k=8)), "text": text}) + "\n"


def run(n: int) -> Iterator[str]:
    rng = random.Random(2)
    for start in range(0, n, 1000):
        documents = rng.sample(range(1_000_000), 1000)
        number = 1 + start // 1000
        yield "".join(f"{number} Q0 D{d:07} {i + 1} {30 - i * 0.02:.4f} bench\n" for i, d in enumerate(documents))


def qrels(n: int) -> Iterator[str]:
    rng = random.Random(3)
    for start in range(0, n, 1000):
        documents = rng.sample(range(1_000_000), 1000)
        number = 1 + start // 1000
        yield "".join(f"{number} 0 D{d:07} {rng.choice((0, 0, 0, 1, 2, 3))}\n" for d in documents)


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


RUN, JUDGMENTS = CLAIMS[1], CLAIMS[-1]
SIZE = 100_000  # documents of a whole collection


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """The file of this name, whole."""
    file = WORK / name
    if not file.exists():
        half = file.with_suffix(".part")
        make(half)
        half.rename(file)
    return file


def file_of(claim: Claim, n: int) -> Path:
    def write(half: Path) -> None:
        with half.open("w", encoding="utf-8") as stream:
            stream.writelines(claim.lines(n))

    return made_once(f"{claim.kind}-{n}.{claim.ending}", write)


def folder_of(n: int) -> Path:
    """A BEIR folder: so many documents, each in the qrels of one topic."""
    members = {
        "corpus.jsonl": (line.replace('"docno"', '"_id"', 1) for line in documents(n)),
        "queries.jsonl": (json.dumps({"_id": str(1 + i), "text": f"topic {i}"}) + "\n" for i in range(n // 100)),
        "qrels/test.tsv": chain(
            ["query-id\tcorpus-id\tscore\n"], (f"{1 + i // 100}\tD{i:07}\t{i % 4}\n" for i in range(n))
        ),
    }

    def write(half: Path) -> None:
        with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, lines in members.items():
                with archive.open(name, "w", force_zip64=True) as member:
                    member.writelines(line.encode() for line in lines)

    return made_once(f"beir-{n}.zip", write)


def bundle_of(n: int, prepared: Path) -> Path:
    """What such a folder is once judgments and a run have been brought in, too."""
    rows = file_of(RUN, 10 * n), file_of(JUDGMENTS, round(JUDGMENTS.rows * n / SIZE))

    def write(half: Path) -> None:
        with tempfile.TemporaryDirectory(dir=WORK) as folder:
            var = Path(folder) / "var"
            shutil.copytree(prepared, var)
            for command in (
                ["import_bundle", str(folder_of(n)), "--as", "whole"],
                ["import_run", "whole", str(rows[0])],
                ["import_judgments", "whole", str(rows[1]), "--name", "bench"],
                ["export_bundle", "whole", "--output", str(half)],
            ):
                subprocess.run(manage(*command), check=True, env=environment(var), stdout=subprocess.DEVNULL)

    return made_once(f"bundle-{n}.zip", write)


def environment(var: Path) -> dict[str, str]:
    without = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return {**without, "TOUCHSTONE_VAR": str(var)}


def manage(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *arguments]


def prepare(var: Path) -> None:
    """A database with an empty collection, and somebody to lead another one."""
    for command in (["migrate", "--verbosity", "0"], ["shell", "--no-imports", "-c", SETUP], ["create_admin", "lead"]):
        subprocess.run(manage(*command), check=True, env=environment(var), stdout=subprocess.DEVNULL)


def take_turn(command: Sequence[str], prepared: Path) -> tuple[tuple[float, float, int], dict[str, Any]]:
    """`(wall seconds, seconds of the processors, megabytes)` of one import into a database of its own; what it said."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder, tempfile.TemporaryFile() as output:
        var = Path(folder) / "var"
        shutil.copytree(prepared, var)
        begin = time.perf_counter()
        process = subprocess.Popen(manage(*command, "--json"), stdout=output, env=environment(var))
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        output.seek(0)
        answer = json.loads(output.read() or b"{}")
        if status or not answer.get("stored"):
            raise SystemExit(f"{command}: {answer}")
    return (wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10), answer


def measure(title: str, command: Sequence[str], counts: str, wanted: Mapping[str, int], settings: Settings) -> None:
    """One row: `counts` is the key of the answer under which the rows that are `wanted` stand."""
    turns = []
    for _ in range(settings.rounds):
        figures, answer = take_turn(command, settings.prepared)
        if not wanted.items() <= answer[counts].items():
            raise SystemExit(f"{title}: {answer}")
        turns.append(figures)
    wall, cpu = (statistics.median(column) for column in list(zip(*turns, strict=True))[:2])
    memory = max(megabytes for _, _, megabytes in turns)
    print(f"{title:34}{wall:9.2f}{cpu:9.2f}{memory:7}", end="", flush=True)


def measure_claim(claim: Claim, settings: Settings) -> None:
    n = settings.share_of(claim.rows)
    file = file_of(claim, n)
    command = [f"import_{claim.kind}", SLUG, str(file), *claim.options]
    measure(f"{n:,} {claim.kind} ({claim.ending})", command, "counts", {claim.stored: n}, settings)
    claimed = f"{claim.seconds:g} s" + (f", {claim.megabytes} MB" if claim.megabytes else "")
    print(f"   {claimed if settings.scale >= 1 else f'({claimed} for {claim.rows:,})'}", flush=True)


def measure_whole(kind: str, settings: Settings) -> None:
    n = settings.share_of(SIZE)
    file = folder_of(n) if kind == "folder" else bundle_of(n, settings.prepared)
    wanted = {"documents: new": n} if kind == "folder" else {"documents": n, "runs": 1}
    measure(f"{kind} of {n:,} documents", ["import_bundle", str(file), "--as", "copy"], "rows", wanted, settings)
    print("   –", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=0.02, help="share of the rows; 1 makes the full files")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="some of the claims: documents,run")
    settings = parser.parse_args()
    only = settings.only.split(",") if settings.only else []
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        prepared = Path(folder) / "var"
        prepare(prepared)
        print(HEAD)
        chosen = Settings(settings.scale, settings.rounds, prepared)
        for claim in CLAIMS:
            if not only or claim.kind in only:
                measure_claim(claim, chosen)
        for kind in ("folder", "bundle"):
            if not only or kind in only:
                measure_whole(kind, chosen)


if __name__ == "__main__":
    main()
