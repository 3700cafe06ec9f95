"""What qrels come from, step after step: said alike by the page, the API, the datasheet and the citation."""

from collections.abc import Sequence
from dataclasses import dataclass, field

MOST_NAMED = 3  # sources in a citation


@dataclass(frozen=True, kw_only=True)
class Ancestor:
    """One of what a snapshot comes from. `sha256` is that of its content, empty where none is kept. `key`: by which its
    page is addressed here, "" where it has none; it is not published."""

    what: str  # "Batch", "File", …
    name: str  # empty of what has no name
    says: str  # a phrase
    sha256: str = ""
    is_source: bool = False  # what a citation names
    is_basis: bool = True  # False: it stands beside what the qrels come from
    key: str = field(default="", compare=False)


def sources_in_words(lineage: Sequence[Ancestor]) -> str:
    """As "batch first; file nist.qrels (SHA-256 …)"; empty where nothing is known."""
    sources = [one for one in lineage if one.is_source]
    named = [_source_in_words(one) for one in sources[:MOST_NAMED]]
    left = len(sources) - len(named)
    return "; ".join([*named, f"{left} more"] if left else named)


def _source_in_words(one: Ancestor) -> str:
    sha = f" (SHA-256 {one.sha256})" if one.sha256 else ""
    return f"{one.what.lower()} {one.name}{sha}"
