"""What processes hold in memory: their proportional share (PSS), pages that several map divided among them."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from statistics import median

from django.db import connection

from tests.soak.processes import children, has_ended

Sample = Mapping[str, float]  # MB of each process, by its name
LEAST = 4  # samples, below which a tenth holds none


def pss(pid: int) -> float:
    """MB; 0 of a process that has ended or belongs to somebody else."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def all_below(pid: int) -> list[int]:
    """The living processes that this one has begun, and theirs."""
    return [each for child in children(pid) if not has_ended(child) for each in (child, *all_below(child))]


def pss_of_database() -> float:
    """MB of all processes of PostgreSQL on this machine; 0 on SQLite and where it runs elsewhere."""
    if connection.vendor == "sqlite":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    with suppress(OSError):
        server = int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])
        return sum(map(pss, (server, *children(server))))
    return 0.0


def spans(samples: list[Sample], *, warm_up: float = 0.1) -> dict[str, tuple[float, float]]:
    """Of each name MB in the tenth of the samples after the warm-up and in the last tenth, medians of each.

    A name that is missing in one of the two has begun or ended meanwhile, and is left out.
    """
    tenth = max(1, len(samples) // 10)
    first = round(len(samples) * warm_up)
    begin, end = samples[first : first + tenth], samples[-tenth:]
    names = [name for name in begin[0] if all(name in each for each in (*begin, *end))] if len(samples) >= LEAST else []
    return {name: (_median_of(begin, name), _median_of(end, name)) for name in names}


def _median_of(samples: Iterable[Sample], name: str) -> float:
    return median(each[name] for each in samples)
