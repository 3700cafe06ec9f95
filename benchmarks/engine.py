"""Claim: from files to values, and once more from an imported run, the engine is several times faster than its peers.

    python benchmarks/engine.py [--scale 0.05] [--rounds 3] [--only A,B,C,D]

Every contender is a whole process that reads qrels and runs from files and computes twelve measures for every topic;
`manage.py evaluate` too, with Django's start. They take turns, round after round (ranx has one), so that what else the
machine does meets all alike. Printed are median wall seconds, seconds of the processors, the largest resident memory of
the process (MB), and the ratio of the medians to pytrec_eval's. The values of every contender are compared with those
of pytrec_eval: where they should be equal and differ by more than rounding, the program fails. `--scale 1` makes the
full workloads (B: ten million rows, 350 MB); they are kept in `var/bench`.

Peers run in `.venv-bench` (`make bench` makes it; requirements-bench.txt); those not installed there are left out.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from speed.measures import NAMES

ROOT = Path(__file__).resolve().parent.parent
SPEED = ROOT / "benchmarks" / "speed"
PEERS = ROOT / ".venv-bench" / "bin" / "python"
WORK = ROOT / "var" / "bench"
OUT = WORK / "values.npy"
REFERENCE = "pytrec_eval"
ROUNDING = {"ir_measures": 1e-12, "Touchstone": 0.0, "Touchstone, run imported": 0.0}  # ranx breaks ties its own way
ASKED = [REFERENCE, "ir_measures", "ranx"]
ONCE = {"ranx"}  # compiles for ten seconds and more whenever it starts: one turn is enough
HEAD = f"{'':34}{'wall s':>9}{'cpu s':>9}{'MB':>7}{'ratio':>8}   greatest difference"


@dataclass
class Contender:
    name: str
    command: list[str]
    compared: bool = True
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    memory: int = 0
    difference: float | None = None

    def take_turn(self, reference: np.ndarray | None) -> np.ndarray | None:
        """Run once; returns the values, if it leaves any."""
        OUT.unlink(missing_ok=True)
        begin = time.perf_counter()
        process = subprocess.Popen(self.command, cwd=ROOT, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        self.wall.append(time.perf_counter() - begin)
        if status:
            raise SystemExit(f"{self.name} failed: {' '.join(self.command)}")
        self.cpu.append(usage.ru_utime + usage.ru_stime)
        self.memory = max(self.memory, usage.ru_maxrss >> 10)
        values = np.load(OUT) if self.compared else None
        if values is not None and reference is not None:
            self.difference = float(np.nanmax(np.abs(values - reference)))
        return values


def workload(name: str, scale: float) -> Path:
    folder = WORK / f"{name}-{scale:g}"
    if not (folder / "made").exists():
        subprocess.run([sys.executable, SPEED / "workloads.py", name, folder, str(scale)], check=True)
        (folder / "made").touch()
    return folder


def engine(how: str, *files: Path, out: Path = OUT) -> list[str]:
    return [sys.executable, str(SPEED / "by_engine.py"), how, str(out), *map(str, files)]


def peers(qrels: Path, runs: Sequence[Path]) -> list[Contender]:
    """pytrec_eval first: the others' values are compared with its."""
    installed = [name for name in ASKED if has_peer(name)]
    files = [str(OUT), str(qrels), *map(str, runs)]
    return [Contender(name, [str(PEERS), str(SPEED / f"by_{name}.py"), *files]) for name in installed]


def has_peer(name: str) -> bool:
    if (
        PEERS.exists()
        and not subprocess.run([PEERS, "-c", f"import {name}"], capture_output=True, check=False).returncode
    ):
        return True
    print(f"{name} is not installed: left out")
    return False


def command_line(qrels: Path, runs: Sequence[Path]) -> Contender:
    options = [part for name in NAMES for part in ("-m", name)]
    return Contender(
        "Touchstone, manage.py evaluate",
        [sys.executable, "manage.py", "evaluate", *options, str(qrels), *map(str, runs)],
        compared=False,
    )


def compare(title: str, contenders: list[Contender], rounds: int) -> None:
    """Let them take turns, and print a line each."""
    print(f"\n{title}\n{HEAD}", flush=True)
    reference: np.ndarray | None = None
    for _ in range(rounds):
        for contender in contenders:
            if contender.name in ONCE and contender.wall:
                continue
            values = contender.take_turn(reference)
            reference = values if contender.name == REFERENCE else reference
    base = next((statistics.median(c.wall) for c in contenders if c.name == REFERENCE), None)
    for contender in contenders:
        wall, cpu = statistics.median(contender.wall), statistics.median(contender.cpu)
        ratio = f"{base / wall:7.1f}×" if base else ""
        difference = "" if contender.difference is None else f"   {contender.difference:.1g}"
        print(f"{contender.name:34}{wall:9.2f}{cpu:9.2f}{contender.memory:7}{ratio:>8}{difference}", flush=True)
    for contender in contenders:
        allowed = ROUNDING.get(contender.name)
        if allowed is not None and (contender.difference or 0.0) > allowed:
            raise SystemExit(f"{contender.name}: values differ from {REFERENCE} by {contender.difference}")


def from_files(name: str, folder: Path, rounds: int, *, run: str = "run*.txt", title: str = "") -> None:
    qrels, runs = folder / "qrels.txt", sorted(folder.glob(run))
    contenders = [
        *peers(qrels, runs),
        Contender("Touchstone", engine("files", qrels, *runs)),
        command_line(qrels, runs),
    ]
    rows = sum(path.stat().st_size for path in runs) >> 20
    compare(title or f"{name}: {len(runs)} run(s), {rows} MB", contenders, rounds)


def imported(folder: Path, rounds: int) -> None:
    """B once imported, against new qrels: as a process, in a warm one, and the measures alone through torch."""
    packed, qrels, run = folder / "run.packed", folder / "new_qrels.txt", folder / "run00.txt"
    first = Contender("Touchstone, import", engine("import", folder / "qrels.txt", run, out=packed), compared=False)
    first.take_turn(None)
    print(f"\nimport of B: {first.wall[0]:.2f} s, {first.memory} MB; {packed.stat().st_size >> 20} MB packed")
    again = Contender("Touchstone, run imported", engine("packed", qrels, packed))
    reference = [peer for peer in peers(qrels, [run]) if peer.name == REFERENCE]
    compare("B imported, scored with new qrels", [*reference, again], rounds)
    base = statistics.median(reference[0].wall) if reference else None
    for how, what in (("warm", "in a warm process"), ("torch", "the measures alone, through torch")):
        done = subprocess.run(engine(how, qrels, packed), cwd=ROOT, capture_output=True, text=True, check=True)
        wall = statistics.median(map(float, done.stdout.split()))
        print(f"{what:34}{wall:9.3f}" + (f"{base / wall:24.1f}×" if base else ""))


def start_up(rounds: int) -> None:
    """A file of three rows: what starting costs."""
    qrels, run = WORK / "small.qrels", WORK / "small.run"
    qrels.write_text("1 0 a 1\n1 0 b 0\n2 0 a 2\n")
    run.write_text("1 Q0 a 1 2 me\n1 Q0 b 2 1 me\n2 Q0 c 1 1 me\n")
    compare("three rows", [*peers(qrels, [run])[:1], command_line(qrels, [run])], rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="A,B,C,D", help="workloads")
    parser.add_argument("--peers", default=",".join(ASKED), help="which of them take part")
    chosen = parser.parse_args()
    ASKED[:] = chosen.peers.split(",")
    WORK.mkdir(parents=True, exist_ok=True)
    print(f"scale {chosen.scale:g}, {chosen.rounds} rounds, {os.cpu_count()} cores", flush=True)
    start_up(chosen.rounds)
    for name in chosen.only.split(","):
        folder = workload(name, chosen.scale)
        from_files(name, folder, chosen.rounds)
        if name == "B":
            from_files(name, folder, chosen.rounds, run="shuffled.txt", title="B, its lines shuffled")
            imported(folder, chosen.rounds)


if __name__ == "__main__":
    main()
