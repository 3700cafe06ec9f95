"""What taking gold would change of gold that is here: grades, and what is accepted."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.formats.problems import Problems
from annotation.gold.steps.events import GoldEntry, gold_by_pair
from annotation.models import Collection, Document, GoldEvent, Topic

SHOWN = 10


@dataclass(frozen=True)
class Correction:
    """A pair that is gold, and would be gold in another way."""

    entry: GoldEntry
    current: GoldEvent

    @property
    def words(self) -> str:
        """What becomes of what: `2 → 3`, or what is accepted where the grade stays."""
        if self.current.grade != self.entry.grade:
            return f"{self.current.grade} → {self.entry.grade}"
        before, after = (" ".join(map(str, grades)) for grades in (self.current.accepted, self.entry.all_accepted))
        return f"accepted {before} → {after}"


def corrections_of(collection: Collection, entries: Sequence[GoldEntry]) -> list[Correction]:
    """In the order of `entries`. Another explanation alone corrects nothing: nobody's accuracy changes by it."""
    current = gold_by_pair(collection)
    pairs = ((entry, current.get(entry.pair)) for entry in entries)
    return [Correction(entry, event) for entry, event in pairs if event is not None and entry.corrects(event)]


def corrections_in_words(corrections: Sequence[Correction]) -> str:
    """How many, and the first of them by name."""
    shown = corrections[:SHOWN]
    numbers = dict(Topic.objects.filter(pk__in={c.entry.pair[0] for c in shown}).values_list("pk", "number"))
    docnos = dict(Document.objects.filter(pk__in={c.entry.pair[1] for c in shown}).values_list("pk", "docno"))
    named = "; ".join(f"topic {numbers[c.entry.pair[0]]}, document {docnos[c.entry.pair[1]]}: {c.words}" for c in shown)
    more = f"; and {len(corrections) - SHOWN} more" if len(corrections) > SHOWN else ""
    are = "pair that is gold is" if len(corrections) == 1 else "pairs that are gold are"
    return f"{len(corrections)} {are} corrected: {named}{more}"


def refuse_corrections(collection: Collection, entries: Sequence[GoldEntry], problems: Problems) -> None:
    """A problem where anything would be corrected, though nobody has asked for it."""
    corrections = corrections_of(collection, entries)
    if corrections:
        problems.add(0, f"{corrections_in_words(corrections)}. Nothing was taken: say that they are to be corrected")
        problems.check()
