"""A stretch of a document's text as others quote it: legible, and in a few words where it is long."""

from annotation.text.legible import legible

MOST = 500  # characters of a quotation that is not cut
BEGINNING, END = 330, 150


def quoted(text: str, start: int, end: int) -> str:
    """The text from `start` to `end`, places in code points; of a long one the beginning and the end."""
    if end - start <= MOST:
        return legible(text[start:end]).strip()
    beginning, ending = text[start : start + BEGINNING], text[max(start, end - END) : end]
    return f"{legible(beginning).strip()} … {legible(ending).strip()}"
