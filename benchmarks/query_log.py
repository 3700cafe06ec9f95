"""Claim: ten million queries become a stratified sample in seconds, in a fraction of the memory of pandas.

    python benchmarks/query_log.py [rows]

A TSV of different queries with Zipf counts is written, and sampled twice, each in a process of its own: by
`sample_queries`' own code, and by pandas (read, rank, sample within strata). Seconds and the peak of memory.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
OURS = """
from pathlib import Path
from annotation.formats.problems import Problems
from evaluation.engine.sampling.allocation import allocate
from evaluation.formats.log.queries import Division, read_query_log
from evaluation.formats.log.query_sample import sampled
log = read_query_log(Path(PATH), Problems("log"), Division(head=HEAD, torso=TORSO))
topics = sampled(log, allocate(log.size, TOTAL, minimum=5), seed=1)
print(len(topics.title), end=" ")
"""
PANDAS = """
import numpy, pandas
log = pandas.read_csv(PATH, sep="\\t", quoting=3)
rank = log["count"].rank(method="first", ascending=False)
log["stratum"] = numpy.select([rank <= HEAD, rank <= HEAD + TORSO], ["head", "torso"], "tail")
size = log["stratum"].value_counts()
wanted = {h: min(n, 5 + round((TOTAL - 15) * n / len(log))) for h, n in size.items()}
parts = [log[log["stratum"] == h].sample(n, random_state=1) for h, n in wanted.items()]
print(len(pandas.concat(parts)), end=" ")
"""
MEASURED = """
import resource, time
begun = time.perf_counter()
{program}
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print("topics", f"{{time.perf_counter() - begun:6.1f}} s {{peak:6}} MB")
"""


def written(path: Path, rows: int) -> None:
    rng = np.random.default_rng(1)
    with path.open("w") as file:
        file.write("query\tcount\n")
        for first in range(0, rows, 500_000):
            count = rng.zipf(1.7, min(500_000, rows - first)).clip(max=10**9).tolist()
            file.writelines(f"query {first + i} of the log\t{n}\n" for i, n in enumerate(count))


def main(rows: int) -> None:
    total = min(10_000, rows // 10)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.tsv"
        written(path, rows)
        names = {"PATH": repr(str(path)), "HEAD": str(rows // 10_000), "TORSO": str(rows // 100), "TOTAL": str(total)}
        print(f"{rows:,} queries, {path.stat().st_size >> 20} MB")
        for title, program in (("ours", OURS), ("pandas", PANDAS)):
            for name, value in names.items():
                program = program.replace(name, value)  # noqa: PLW2901 -- the program of this turn
            print(f"{title:8}", end="", flush=True)
            subprocess.run([sys.executable, "-c", MEASURED.format(program=program)], cwd=ROOT, check=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
