"""A query log: a row a query with how often it was asked, read twice: for its strata, then for what was drawn.

Rows of the same query are added up, and stand where the first of them stands; without a column of
counts each row is one time. No texts are kept: 17 bytes a query between the readings, at most some
60 while queries are told apart. Two queries of the same 64-bit hash would be taken for one: a
chance of 3 in a million for ten million queries.
"""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from annotation.formats.fields import shown
from annotation.formats.mapping import Meaning, find_columns
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Ints
from evaluation.engine.sampling.strata import NAMES, by_rank, by_traffic
from evaluation.formats.log.columns import MOST_COUNT, NONE, Column
from evaluation.formats.log.reading import Log, open_log

if TYPE_CHECKING:
    import polars

MOST_STRATA = 200
FREQUENCY = "frequency"  # strata by how often a query was asked
QUERY = Meaning("query", ("query", "text", "title", "q", "search_term", "keyword"))
COUNT = Meaning(  # of a query or person, in whatever file
    "count", ("count", "times", "frequency", "freq", "n", "searches", "volume", "impressions"), needed=False
)


@dataclass(frozen=True)
class Division:
    """How queries are put into strata. `by`: `FREQUENCY`, or a column of the log whose values are the strata.

    By frequency: `head` and `torso` are numbers of queries, the most frequent first, where both are at least 1; shares
    of all traffic where both are below 1.
    """

    by: str = FREQUENCY
    head: float = 1 / 3
    torso: float = 1 / 3
    query: str = ""  # columns by name; empty: the likeliest
    count: str = ""


@dataclass(frozen=True, eq=False)
class QueryLog:
    """`row` (n_queries,) is the place of each query's first row in the log, from 0; `stratum` indexes `names`."""

    path: Path
    title: str
    sha256: str
    columns: tuple[str, str]  # of queries, of counts (empty: each row is one)
    n_rows: int
    names: tuple[str, ...]
    row: NDArray[np.integer] = field(repr=False)
    count: Ints = field(repr=False)
    stratum: NDArray[np.integer] = field(repr=False)

    @property
    def size(self) -> dict[str, int]:
        """Queries of each stratum."""
        count = np.bincount(self.stratum, minlength=len(self.names))
        return dict(zip(self.names, count.tolist(), strict=True))

    @property
    def traffic(self) -> dict[str, int]:
        """How often the queries of each stratum were asked."""
        sums = np.zeros(len(self.names), np.int64)
        np.add.at(sums, self.stratum, self.count)
        return dict(zip(self.names, sums.tolist(), strict=True))


def read_query_log(path: Path, problems: Problems, division: Division | None = None) -> QueryLog:
    """The strata of a log. Raises `FormatError` for a log that is malformed, for a column that is not there and for
    more than `MOST_STRATA` strata; `ValueError` for a division that cannot be; `OSError` as `open` does."""
    chosen = division or Division()
    log = open_log(path, problems)
    query, count = _columns(log, chosen, problems)
    by_column = "" if chosen.by == FREQUENCY else chosen.by
    keys, counts, codes, names = _read(log, query, count, by_column, problems)
    first, times, kept = _each_once(keys, counts, codes)
    stratum = kept if by_column else _by_frequency(times, chosen)
    return QueryLog(
        path=path,
        title=problems.file,
        sha256=_digest(path),
        columns=(query, count),
        n_rows=keys.size,
        names=tuple(names) if by_column else NAMES,
        row=first,
        count=times,
        stratum=stratum,
    )


def texts_at(log: QueryLog, row: NDArray[np.integer]) -> list[str]:
    """The queries in these rows of the log, (n,) ascending. Tabs and line ends inside a query become blanks."""
    problems = Problems(log.title)
    texts, begin = list[str](), 0
    for block in open_log(log.path, problems).blocks({log.columns[0]: Column("text")}, problems):
        a, b = np.searchsorted(row, [begin, begin + block.frame.height])
        texts += block.frame[log.columns[0]].gather(row[a:b] - begin).to_list()
        begin += block.frame.height
    return [" ".join(text.split()) for text in texts]


def _columns(log: Log, chosen: Division, problems: Problems) -> tuple[str, str]:
    picked = {name: column for name, column in (("query", chosen.query), ("count", chosen.count)) if column}
    for column in (*picked.values(), *([chosen.by] if chosen.by != FREQUENCY else [])):
        if column not in log.names:
            there = ", ".join(map(shown, log.names[:20]))
            raise problems.stop(1, f"there is no column {shown(column)}; there are {there}")
    mapping = find_columns(log.names, (QUERY, COUNT), picked).column
    if "query" not in mapping:
        there = ", ".join(map(shown, log.names[:20]))
        raise problems.stop(1, f"no column is called {QUERY.name}; say which one holds queries: {there}")
    return mapping["query"], mapping.get("count", "")


def _read(
    log: Log, query: str, count: str, by: str, problems: Problems
) -> tuple[NDArray[np.uint64], Ints, NDArray[np.int16], list[str]]:
    """`(hash of each row's query, counts, strata, names of strata)`."""
    wanted = {query: Column("text")} | ({count: Column("whole", least=0, most=MOST_COUNT)} if count else {})
    wanted |= {by: Column("text", may_lack=True)} if by else {}
    keys, counts, codes = list[NDArray[np.uint64]](), list[Ints](), list[NDArray[np.int16]]()
    names: dict[str, int] = {}
    for block in log.blocks(wanted, problems):
        keys.append(block.frame[query].hash().to_numpy())
        counts.append(block.frame[count].to_numpy() if count else np.ones(block.frame.height, np.int64))
        codes.append(_coded(block.frame[by], names) if by else np.zeros(block.frame.height, np.int16))
        if len(names) > MOST_STRATA:
            raise problems.stop(0, f"{shown(by)} has more than {MOST_STRATA} different values: too many for strata")
    if not keys:
        raise problems.stop(0, "there is no query in this log")
    return np.concatenate(keys), np.concatenate(counts), np.concatenate(codes), list(names)


def _coded(column: "polars.Series", names: dict[str, int]) -> NDArray[np.int16]:
    """Numbers of names, new ones added in the order in which they come."""
    filled = column.fill_null(NONE)
    for name in filled.unique(maintain_order=True).to_list()[: MOST_STRATA + 1]:
        names.setdefault(name, len(names))
    return filled.replace_strict(names, default=0).to_numpy().astype(np.int16)


def _each_once(
    key: NDArray[np.uint64], count: Ints, code: NDArray[np.int16]
) -> tuple[NDArray[np.integer], Ints, NDArray[np.int16]]:
    """`(first row, times asked, stratum)` of each query, in the order of first rows."""
    ascending = np.sort(key)
    if not (ascending[1:] == ascending[:-1]).any():
        return np.arange(key.size, dtype=np.int32), count, code
    del ascending
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    times = np.zeros(first.size, np.int64)
    np.add.at(times, inverse, count)
    order = np.argsort(first)
    return first[order], times[order], code[first[order]]


def _by_frequency(count: Ints, division: Division) -> NDArray[np.int8]:
    head, torso = division.head, division.torso
    if 0 < head < 1 and 0 < torso < 1:
        return by_traffic(count, head=head, torso=torso)
    if min(head, torso) < 1 or head != int(head) or torso != int(torso):
        raise ValueError(f"head {head:g} and torso {torso:g}: two numbers of queries, or two shares of all traffic")
    return by_rank(count, head=int(head), torso=int(torso))


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
