"""Claim: a view of 300 runs on 250 topics by 10 measures takes 300 ms or less once it is computed.

    python benchmarks/leaderboard.py [runs]

The values and means of so many generated runs are stored as an evaluation stores them, in a new database; the job of
the ranks is asked for on the page and done. Then each page is asked for five times through Django's client, without the
network: the median of the last four, the size of the answer, and the highest resident memory of the process.
"""

import os
import subprocess
import sys

from load.database import ROOT, new_database, new_folder


def main() -> int:
    with new_database("sqlite") as url, new_folder() as var:
        (var / "static").mkdir()
        as_served = {"NUMPY_MADVISE_HUGEPAGE": "0"}  # manage.py sets it, and the server inherits it
        environment = {**os.environ, **as_served, "DATABASE_URL": url, "TOUCHSTONE_VAR": str(var)}
        command = [sys.executable, str(ROOT / "benchmarks" / "load" / "runs.py"), *(sys.argv[1:] or ["300"])]
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    sys.exit(main())
