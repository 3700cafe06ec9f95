"""Clicks and impressions of topic–document pairs by position: from logs of any form, added up block by block.

Memory holds one block, and some 100 bytes a pair and position.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from annotation.formats.column_names import DOCNO, NUMBER
from annotation.formats.fields import shown
from annotation.formats.mapping import Meaning, find_columns
from annotation.formats.problems import Problems
from evaluation.engine.clicks.counts import ClickCounts
from evaluation.engine.clicks.position_bias import Propensities, given_propensities
from evaluation.formats.log.columns import MOST_COUNT, MOST_FAULTS, Column
from evaluation.formats.log.reading import Log, open_log

if TYPE_CHECKING:
    import polars

POSITION = Meaning("position", ("position", "pos", "rank", "display_position"))
CLICKS = Meaning("clicks", ("clicks", "click", "clicked", "n_clicks", "is_click"))
IMPRESSIONS = Meaning("impressions", ("impressions", "views", "shown", "n_impressions", "exposures"), needed=False)
PROPENSITY = Meaning("propensity", ("propensity", "examination", "theta", "probability"))
MEANINGS = (NUMBER, DOCNO, POSITION, CLICKS, IMPRESSIONS)
KINDS = {
    "number": Column("text"),
    "docno": Column("text"),
    "position": Column("whole", least=1, most=100_000),
    "clicks": Column("whole", least=0, most=MOST_COUNT),
    "impressions": Column("whole", least=0, most=MOST_COUNT),
}
KEYS = ["number", "docno", "position"]
MOST_PARTS = 64  # sums of blocks that are kept before they are added up


def read_click_counts(path: Path, problems: Problems) -> ClickCounts:
    """Rows of the same pair and position are added up. Without a column of impressions each row is one impression, and
    clicks are 0 or 1.

    Raises `FormatError` for what is malformed, for more clicks than impressions in a row, and for no impression;
    `OSError` as `open` does.
    """
    import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

    log = open_log(path, problems)
    column = _columns(log, problems)
    wanted = {name: KINDS[meaning] for meaning, name in column.items()}
    parts = list[pl.DataFrame]()
    for block in log.blocks(wanted, problems):
        frame = block.frame.rename({name: meaning for meaning, name in column.items()})
        if "impressions" not in column:
            frame = frame.with_columns(pl.lit(1, pl.Int64).alias("impressions"))
        for at in (frame["clicks"] > frame["impressions"]).arg_true().head(MOST_FAULTS).to_list():
            reason = f"{frame['clicks'][at]} clicks of {frame['impressions'][at]} impressions"
            problems.add(block.lines[at], f"{reason}: a pair is clicked once an impression at most")
        if problems.total >= MOST_FAULTS:
            raise problems.stop(0, f"{problems.total} problems; the rest was not read")
        parts.append(_added_up(frame))
        if len(parts) > MOST_PARTS:
            parts = [_added_up(pl.concat(parts))]
    problems.check()
    cells = _added_up(pl.concat(parts)).filter(pl.col("impressions") > 0) if parts else None
    if cells is None or not cells.height:
        raise problems.stop(0, "there is no impression in this log")
    return _counts(cells)


def read_propensities(path: Path, problems: Problems) -> Propensities:
    """A row a position with its propensity. Raises `FormatError` for what is malformed, and a position twice."""
    log = open_log(path, problems)
    mapping = find_columns(log.names, (POSITION, PROPENSITY), {})
    if missing := mapping.missing((POSITION, PROPENSITY)):
        there = ", ".join(map(shown, log.names[:20]))
        raise problems.stop(1, f"no column is called {missing[0].name}; there are {there}")
    at, value = mapping.column["position"], mapping.column["propensity"]
    propensities: dict[int, float] = {}
    for block in log.blocks({at: KINDS["position"], value: Column("decimal")}, problems):
        for line, (position, propensity) in zip(block.lines, block.frame.select(at, value).iter_rows(), strict=True):
            if position in propensities:
                problems.add_repeat(line, f"the position {position} stands twice")
            elif not propensity > 0:
                problems.add(line, f"the propensity {propensity:g} is not positive")
            propensities[position] = propensity
    problems.check()
    if not propensities:
        raise problems.stop(0, "there is no row in this file")
    return given_propensities(propensities)


def _columns(log: Log, problems: Problems) -> dict[str, str]:
    mapping = find_columns(log.names, MEANINGS, {})
    if missing := mapping.missing(MEANINGS):
        there = ", ".join(map(shown, log.names[:20]))
        raise problems.stop(1, f"no column is called {missing[0].name}, nor {missing[0].names[1]} …; there are {there}")
    return dict(mapping.column)


def _added_up(frame: "polars.DataFrame") -> "polars.DataFrame":
    import polars as pl  # noqa: PLC0415

    return frame.group_by(KEYS, maintain_order=True).agg(pl.col("clicks").sum(), pl.col("impressions").sum())


def _counts(cells: "polars.DataFrame") -> ClickCounts:
    """In byte order of topics, then of docnos, then by position."""
    import polars as pl  # noqa: PLC0415

    cells = cells.sort(KEYS).with_columns(pair=pl.struct("number", "docno").rle_id(), topic=pl.col("number").rle_id())
    pairs = cells.unique("pair", keep="first", maintain_order=True)
    return ClickCounts(
        numbers=tuple(pairs["number"].unique(maintain_order=True).to_list()),
        topic=pairs["topic"].to_numpy().astype(np.int64),
        docno=tuple(pairs["docno"].to_list()),
        pair=cells["pair"].to_numpy().astype(np.int64),
        position=cells["position"].to_numpy().astype(np.int64),
        clicks=cells["clicks"].to_numpy().astype(np.float64),
        impressions=cells["impressions"].to_numpy().astype(np.float64),
    )
