"""How to cite a snapshot: as a sentence, and as BibTeX."""

import re
from dataclasses import dataclass

from annotation.formats.lineage import Ancestor, sources_in_words
from annotation.formats.version import VERSION
from annotation.text.counted import counted


@dataclass(frozen=True, kw_only=True)
class Cited:
    """What is known of a snapshot. `date` is written as 2026-11-27; `policy` is empty of imported qrels."""

    slug: str
    collection: str
    snapshot: str
    date: str
    n_topics: int
    n_pairs: int
    policy: str
    qrels_sha256: str
    lineage: tuple[Ancestor, ...]


def citation(cited: Cited) -> str:
    """Nobody is named: whom the work is of, only those who cite it know."""
    title = f"{cited.collection}, snapshot {cited.snapshot} ({cited.date})"
    return f"{title}. {_facts(cited)}. Made with Touchstone {VERSION}."


def bibtex(cited: Cited) -> str:
    """An entry without an author, to be added by whoever knows."""
    key = re.sub(r"[^A-Za-z0-9-]+", "-", f"{cited.slug}-{cited.snapshot}").strip("-")
    title = _escaped(f"{cited.collection}, snapshot {cited.snapshot}")
    note = _escaped(f"{_facts(cited)}. Made with Touchstone {VERSION}")
    year, month, _ = cited.date.split("-")
    return (
        f"@misc{{{key},\n  title = {{{{{title}}}}},\n  year = {{{year}}},\n  month = {int(month)},\n"
        f"  note = {{{note}}}\n}}\n"
    )


def _facts(cited: Cited) -> str:
    policy = f"; policy {cited.policy}" if cited.policy else ""
    counts = f"{counted(cited.n_pairs, 'judged pair')} of {counted(cited.n_topics, 'topic')}{policy}"
    sources = sources_in_words(cited.lineage)
    origin = f". From {sources}" if sources else ""
    return f"{counts}{origin}. SHA-256 of the qrels: {cited.qrels_sha256}"


def _escaped(text: str) -> str:
    """What BibTeX and LaTeX print as it is; a brace would end the entry."""
    plain = text.replace("\\", "/").replace("{", "(").replace("}", ")")
    return re.sub(r"([#$%&_])", r"\\\1", plain)
