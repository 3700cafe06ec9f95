"""The stretch of a document that a judgment made elsewhere names as its evidence."""

from annotation.formats.fields import WHITE, shown, whole_number
from annotation.formats.mapped import Cells


def evidence_in(cells: Cells) -> tuple[tuple[int, int] | None, str | None]:
    """`(start, end)` if the cells name a stretch, and why they do not where they try to."""
    texts = [cells.get(name, "").strip(WHITE) for name in ("evidence_start", "evidence_end")]
    if not any(texts):
        return None, None
    start, end = (whole_number(text) for text in texts)
    if start is None or end is None or not 0 <= start < end:
        return None, f"the evidence from {shown(texts[0])} to {shown(texts[1])} is no stretch of a text"
    return (start, end), None
