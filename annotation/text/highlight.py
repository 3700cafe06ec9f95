"""Where a document speaks the words of its topic, and those that its reader looks for: stretches to mark."""

from collections.abc import Collection, Iterable

from annotation.text.terms import Hit
from annotation.text.writing import Mark


def marks(text: str, hits: Iterable[Hit], *, topic: Collection[str], own: Collection[str] = ()) -> list[Mark]:
    """Marks in order, apart from each other. A term that is of both is the topic's.

    `hits` are in the order of the text. What overlaps, and terms of one kind with only blanks between them, become one
    mark: fewer elements on the page, calmer to read. Where terms of two kinds overlap, the earlier keeps what it has.
    """
    merged: list[Mark] = []
    for hit in hits:
        if hit.term not in topic and hit.term not in own:
            continue
        is_own = hit.term not in topic
        last = merged[-1] if merged else None
        if last and last.is_own == is_own and not text[last.end : hit.start].strip(" "):
            merged[-1] = Mark(last.start, max(last.end, hit.end), is_own)
        else:
            start = max(hit.start, last.end) if last else hit.start
            if start < hit.end:
                merged.append(Mark(start, hit.end, is_own))
    return merged
