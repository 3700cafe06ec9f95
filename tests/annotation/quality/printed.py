"""The tables printed in docs/quality.md."""

from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "quality.md"


def table_under(header: str) -> list[list[str]]:
    """The rows of the table of the page whose header line begins so."""
    lines = iter(PAGE.read_text("utf-8").splitlines())
    next(line for line in lines if line.startswith(header))
    next(lines)
    rows = []
    while (line := next(lines)).startswith("|"):
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows
