"""Tables of this subject as CSV files: dynamic overlap, missing judgments, added slots."""

from annotation.batches.read.overlap import Steering
from annotation.batches.read.replacements import Additions, Missing, additions, missing_judgments
from annotation.kernel.tables import Column, Kind, Table
from annotation.models import Collection
from annotation.quality.overlap import PathSummary

# Pairs that have `judgments` of them. `said`: mean probability of the right grade of the gold pairs; `right`: how large
# a share of these truly is; `learned_on`: how many gold pairs have come so far. No row before the first look.
OVERLAP: Table[Steering, PathSummary] = Table(
    (
        Column("judgments", lambda path: path.n, Kind.WHOLE),
        Column("sure_enough", lambda path: path.n_sure, Kind.WHOLE),
        Column("in_doubt_at_the_end", lambda path: path.n_maximum, Kind.WHOLE),
        Column("one_more_asked_for", lambda path: path.n_wanting, Kind.WHOLE),
        Column("gold_pairs", lambda path: path.gold.n, Kind.WHOLE),
        Column("said", lambda path: path.gold.said, Kind.NUMBER, nullable=True),
        Column("right", lambda path: path.gold.share, Kind.NUMBER, nullable=True),
        Column("right_low", lambda path: path.gold.interval[0] if path.gold.n else None, Kind.NUMBER, nullable=True),
        Column("right_high", lambda path: path.gold.interval[1] if path.gold.n else None, Kind.NUMBER, nullable=True),
        Column("learned_on", lambda path: path.n_learned, Kind.WHOLE),
    ),
    lambda steering: steering.summary.paths if steering.summary else (),
)

# `judgments_of`: excluded people, with commas between; `nobody_left`: of the missing judgments.
MISSING: Table[Collection, Missing] = Table(
    (
        Column("batch", lambda row: row.batch.name),
        Column("judgments_missing", lambda row: row.n, Kind.WHOLE),
        Column("pairs", lambda row: len(row.n_of), Kind.WHOLE),
        Column("judgments_of", lambda row: ", ".join(row.names)),
        Column("hours", lambda row: row.hours, Kind.NUMBER),
        Column("cost", lambda row: row.cost, Kind.NUMBER),
        Column("nobody_left", lambda row: row.n_stuck, Kind.WHOLE),
    ),
    missing_judgments,
)

# Slots that a batch was given after its layout.
ADDED: Table[Collection, Additions] = Table(
    (
        Column("batch", lambda row: row.batch.name),
        Column("slots_added", lambda row: row.n_added, Kind.WHOLE),
        Column("judged", lambda row: row.n_judged, Kind.WHOLE),
        Column("more_than_asked_for", lambda row: row.n_beyond, Kind.WHOLE),
        Column("not_needed", lambda row: row.n_spare, Kind.WHOLE),
    ),
    additions,
)
