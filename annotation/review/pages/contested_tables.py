"""What waits for a decision, how those who decide have decided, and every decision, as CSV files."""

from annotation.kernel.tables import Column, Kind
from annotation.quality.wilson import Share
from annotation.review.read.adjudication import Decision, QueueRow

# A contested pair without a decision. Nobody's grade is here.
WAITING: tuple[Column[QueueRow], ...] = (
    Column("number", lambda row: row.number, Kind.ID),
    Column("docno", lambda row: row.docno, Kind.ID),
    Column("why", lambda row: "; ".join(row.why)),
    Column("people", lambda row: row.n_people, Kind.WHOLE),
    Column("held_by", lambda row: row.holder),
    Column("sent_by", lambda row: row.sender),
    Column("sent_because", lambda row: row.because),
)

# Shares of the decisions with a grade given blind; low and high: Wilson, 95 %.
MINDS: tuple[Column[tuple[str, Share]], ...] = (
    Column("what", lambda row: row[0]),
    Column("share", lambda row: row[1].value, Kind.NUMBER),
    Column("low", lambda row: row[1].low, Kind.NUMBER),
    Column("high", lambda row: row[1].high, Kind.NUMBER),
    Column("n", lambda row: row[1].n, Kind.WHOLE),
)

# One decision, or its withdrawal, which has no grade. What each column is, docs/formats.md says.
DECISIONS: tuple[Column[Decision], ...] = (
    Column("number", lambda each: each.row.topic.number, Kind.ID),
    Column("docno", lambda each: each.row.document.docno, Kind.ID),
    Column("criterion", lambda each: each.row.criterion),
    Column("action", lambda each: each.row.action, choices=("decide", "withdraw")),
    Column("grade", lambda each: each.row.grade, Kind.WHOLE, nullable=True),
    Column("blind_grade", lambda each: each.row.blind_grade, Kind.WHOLE, nullable=True),
    Column("changed", lambda each: each.row.changed, Kind.YES_NO, nullable=True),
    Column("blind", lambda each: each.row.blind_grade is not None and not each.row.knew, Kind.YES_NO),
    Column(
        "knew",
        lambda each: each.row.knew,
        help="What kept the adjudicator from being blind; empty for nothing.",
    ),
    Column("blind_seconds", lambda each: _seconds(each.row.blind_ms), Kind.NUMBER, decimals=1, nullable=True),
    Column("decide_seconds", lambda each: _seconds(each.row.decide_ms), Kind.NUMBER, decimals=1, nullable=True),
    Column("adjudicator", lambda each: each.adjudicator, Kind.WHOLE, help="A number, in the order of first decisions."),
    Column("holds", lambda each: each.holds, Kind.YES_NO, help="Whether this is the decision that counts now."),
    Column("created_at", lambda each: each.row.created_at.isoformat()),
    Column("reason", lambda each: each.row.reason),
)


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000
