"""Invitation links as CSV: what an admin sends out."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from annotation.formats.cells import csv_line, text_cell

COLUMNS = ("note", "role", "expires", "link")


@dataclass(frozen=True)
class InvitationRow:
    note: str
    role: str
    expires_at: datetime
    address: str


def invitation_csv(rows: Iterable[InvitationRow]) -> bytes:
    """Note, role, expiry (ISO 8601), link, with a head line. The note is free text, as `cells` has it."""
    return csv_line(COLUMNS) + b"".join(
        csv_line((text_cell(row.note), row.role, row.expires_at.isoformat(timespec="minutes"), row.address))
        for row in rows
    )
