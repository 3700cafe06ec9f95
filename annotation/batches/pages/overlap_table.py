"""How far a batch is whose pairs get as many judgments as they need, as a CSV file."""

from annotation.batches.read.overlap import Steering
from annotation.kernel.tables import Column, Kind, Table
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
        Column("said", lambda path: path.gold.said, Kind.NUMBER),
        Column("right", lambda path: path.gold.share, Kind.NUMBER),
        Column("right_low", lambda path: path.gold.interval[0] if path.gold.n else None, Kind.NUMBER),
        Column("right_high", lambda path: path.gold.interval[1] if path.gold.n else None, Kind.NUMBER),
        Column("learned_on", lambda path: path.n_learned, Kind.WHOLE),
    ),
    lambda steering: steering.summary.paths if steering.summary else (),
)
