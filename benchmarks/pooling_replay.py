"""Claim: by which pairs are judged first, and by how the judgments are read, fewer of them give the same order of runs.

    python benchmarks/pooling_replay.py [seeds] [folder of plots]

All methods are replayed on the 25 runs of TREC 2019 Deep Learning (nDCG@10 against all 9,260 judged pairs, pool: the
union of the runs' first ten, 1,870 pairs), 50 seeds unless said otherwise, with and without a run left out of the
pool; then on Cranfield's nine runs, whose qrels list relevant pairs alone: what they lack counts as 0. No setting
was chosen on Cranfield. Each in a process of its own, whose seconds and peak memory are printed. The collections are
those of TOUCHSTONE_SHARED, else of ../shared/data; without them nothing is done.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SHARED = Path(os.environ.get("TOUCHSTONE_SHARED", ROOT.parent / "shared" / "data"))
CASES = {
    "dl19": ("qrels.txt", ("--rel", "2")),
    "dl19, a run left out": ("qrels.txt", ("--rel", "2", "--seeds", "1", "--leave-out-run")),
    "cranfield": ("qrels.graded.txt", ("--unlisted", "zero")),
    "cranfield, a run left out": ("qrels.graded.txt", ("--unlisted", "zero", "--seeds", "1", "--leave-out-run")),
}


def replayed(name: str, n_seeds: int, plots: str | None) -> None:
    """One case by the command; its table, seconds and peak memory are printed."""
    qrels, options = CASES[name]
    folder = SHARED / name.split(",", maxsplit=1)[0]
    command = [sys.executable, str(ROOT / "manage.py"), "pooling_replay", str(folder / qrels)]
    command += [*map(str, sorted((folder / "runs").iterdir())), "--seeds", str(n_seeds), *options]
    command += ["--out", str(Path(plots) / name.replace(", ", "_").replace(" ", "_"))] if plots else []
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, usage = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"== {name}: {seconds:.1f} s, all so far at most {usage.ru_maxrss / 1024:.0f} MB\n{done.stdout}", flush=True)


def main() -> None:
    if not (SHARED / "dl19").is_dir():
        print("no collection: nothing is done")
        return
    n_seeds, plots = int(sys.argv[1]) if len(sys.argv) > 1 else 50, sys.argv[2] if len(sys.argv) > 2 else None
    for name in CASES:
        replayed(name, n_seeds, plots)


if __name__ == "__main__":
    main()
