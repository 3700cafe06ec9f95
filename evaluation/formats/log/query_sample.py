"""A sample of a query log: its topics as TSV, its manifest as JSON, and the reading of both."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from annotation.formats.fields import MAX_ID
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.sampling.allocation import Allocation
from evaluation.engine.sampling.draw import draw
from evaluation.formats.log.columns import Column
from evaluation.formats.log.queries import Division, QueryLog, texts_at
from evaluation.formats.log.reading import open_log

COLUMNS = ("number", "title", "count", "stratum", "probability")


@dataclass(frozen=True, eq=False)
class SampledQueries:
    """Topics of a sample, in the order of the log. All columns have one entry a topic."""

    number: tuple[str, ...]
    title: tuple[str, ...]
    count: Ints
    stratum: tuple[str, ...]
    probability: Floats

    def lines(self) -> Iterator[bytes]:
        """TSV with a header; topics are imported from it as it is."""
        yield "\t".join(COLUMNS).encode() + b"\n"
        columns = (self.number, self.title, self.count.tolist(), self.stratum, self.probability.tolist())
        for number, title, count, stratum, probability in zip(*columns, strict=True):
            yield f"{number}\t{title}\t{count}\t{_cell(stratum)}\t{probability!r}\n".encode()


def sampled(log: QueryLog, allocation: Allocation, *, seed: int, prefix: str = "") -> SampledQueries:
    """Draw what was allocated, and fetch its texts. Numbers count from 1, with the prefix before them."""
    drawn = draw(log.stratum, [stratum.n for stratum in allocation.strata], seed=seed)
    title = texts_at(log, log.row[drawn.unit])
    return SampledQueries(
        number=tuple(f"{prefix}{i}" for i in range(1, len(title) + 1)),
        title=tuple(title),
        count=log.count[drawn.unit],
        stratum=tuple(log.names[h] for h in drawn.stratum),
        probability=drawn.probability,
    )


def manifest(
    log: QueryLog, division: Division, allocation: Allocation, topics: SampledQueries, *, seed: int
) -> dict[str, Any]:
    """What the sample can be rebuilt from, and what estimates need: file and hash of the log, how it was divided, how
    many each stratum gave of how many, the seed, and the hash of the topics."""
    traffic = log.traffic
    return {
        "log": {
            "file": log.title,
            "sha256": log.sha256,
            "rows": log.n_rows,
            "queries": int(log.row.size),
            "traffic": sum(traffic.values()),
        },
        "division": asdict(division),
        "allocation": {"rule": allocation.rule, "rounding": allocation.rounding, "total": allocation.total},
        "seed": seed,
        "numpy": np.__version__,
        "n": allocation.n,
        "strata": strata_rows(log, allocation),
        "notes": list(allocation.notes),
        "topics_sha256": hashlib.sha256(b"".join(topics.lines())).hexdigest(),
    }


def strata_rows(log: QueryLog, allocation: Allocation) -> list[dict[str, Any]]:
    """A row a stratum: name, queries, traffic, n, probability."""
    traffic = log.traffic
    return [
        {
            "stratum": one.name,
            "queries": one.size,
            "traffic": traffic[one.name],
            "n": one.n,
            "probability": one.probability,
        }
        for one in allocation.strata
    ]


def as_text(facts: dict[str, Any]) -> str:
    return json.dumps(facts, ensure_ascii=False, indent=2) + "\n"


def read_sample(path: Path, problems: Problems) -> SampledQueries:
    """The topics of a sample. Needs number, stratum and probability; a count that is missing is 1, a title empty.

    Raises `FormatError` for what is malformed and for a number that stands twice; `OSError` as `open` does.
    """
    wanted = {
        "number": Column("text"),
        "title": Column("text", may_lack=True),
        "count": Column("whole", least=0, may_lack=True),
        "stratum": Column("text"),
        "probability": Column("decimal", least=5e-324, most=1),
    }
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    seen: dict[str, int] = {}
    for block in open_log(path, problems).blocks(wanted, problems):
        for name in COLUMNS:
            there = block.frame[name].to_list() if name in block.frame.columns else [None] * block.frame.height
            columns[name] += there
        for row, number in zip(block.lines, block.frame["number"].to_list(), strict=True):
            if seen.setdefault(number, row) != row:
                problems.add_repeat(row, f"topic {number[:MAX_ID]} stands in line {seen[number]} already")
    problems.check()
    if not seen:
        raise problems.stop(0, "there is no topic in this file")
    return SampledQueries(
        number=tuple(columns["number"]),
        title=tuple(title or "" for title in columns["title"]),
        count=np.array([1 if count is None else count for count in columns["count"]], np.int64),
        stratum=tuple(columns["stratum"]),
        probability=np.array(columns["probability"], np.float64),
    )


def _cell(name: str) -> str:
    return " ".join(name.split())
