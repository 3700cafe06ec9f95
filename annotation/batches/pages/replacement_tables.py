"""What is missing since somebody was excluded, and what was added in its place, as CSV files."""

from annotation.batches.read.replacements import Additions, Missing, additions, missing_judgments
from annotation.kernel.tables import Column, Kind, Table
from annotation.models import Collection

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
