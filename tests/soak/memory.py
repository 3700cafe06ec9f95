"""What processes hold in memory: their proportional share (PSS), pages that several map divided among them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median

from django.db import connection

from tests.soak.processes import children, has_ended

Sample = Mapping[str, float]  # MB of each process, by its name
LEAST = 4  # samples that can be compared
WARM_UP = 0.1  # the share of the time that nothing is compared with


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


def begin_and_end(samples: Sequence[Sample], *, warm_up: float = WARM_UP) -> tuple[dict[str, float], dict[str, float]]:
    """MB of each process in the tenth of the samples after the warm-up and in the last tenth: medians of the samples
    that have it. Both are empty with fewer than four samples."""
    if len(samples) < LEAST:
        return {}, {}
    tenth, first = max(1, len(samples) // 10), round(len(samples) * warm_up)
    return _medians(samples[first : first + tenth]), _medians(samples[-tenth:])


def by_pool(sample: Sample) -> Sample:
    """MB of all processes of a pool together: which of them an admin's page comes to is chance."""
    together: defaultdict[str, float] = defaultdict(float)
    for name, mb in sample.items():
        together[name.partition(",")[0]] += mb
    return together


def faults(samples: Sequence[Sample], *, most: float) -> list[str]:
    """Which pools have grown by the share `most` or more, and which processes are not there any more."""
    begin, end = begin_and_end(samples)
    before, after = begin_and_end([by_pool(each) for each in samples])
    return [
        *(f"{name} has ended meanwhile" for name in begin if name not in end),
        *(
            f"{name}: grown from {mb:.1f} to {after[name]:.1f} MB"
            for name, mb in before.items()
            if name in after and after[name] >= mb * (1 + most)
        ),
    ]


def _medians(samples: Iterable[Sample]) -> dict[str, float]:
    values: defaultdict[str, list[float]] = defaultdict(list)
    for sample in samples:
        for name, mb in sample.items():
            values[name].append(mb)
    return {name: median(each) for name, each in values.items()}
