"""What taking gold would change of what is gold already, said before it is done: grades, and what is accepted."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.formats.problems import Problems
from annotation.gold.steps.events import Wanted, held_gold
from annotation.models import Collection, Document, GoldEvent, Topic

SHOWN = 10
ANY = "all"  # what a command says: correct whatever there is


@dataclass(frozen=True)
class Correction:
    """A pair that is gold, and would be gold in another way."""

    wanted: Wanted
    held: GoldEvent

    @property
    def words(self) -> str:
        """What becomes of what: `2 → 3`, or what is accepted where the grade stays."""
        if self.held.grade != self.wanted.grade:
            return f"{self.held.grade} → {self.wanted.grade}"
        before, after = (" ".join(map(str, grades)) for grades in (self.held.accepted, accepted_by(self.wanted)))
        return f"accepted {before} → {after}"


def accepted_by(wanted: Wanted) -> list[int]:
    return sorted({wanted.grade, *(wanted.accepted or ())})


def corrections_of(collection: Collection, wanted: Sequence[Wanted]) -> list[Correction]:
    """In the order of `wanted`. Another explanation alone corrects nothing: nobody's accuracy changes by it."""
    held = held_gold(collection)
    known = ((each, held.get(each.pair)) for each in wanted)
    return [Correction(each, before) for each, before in known if before is not None and _differs(each, before)]


def _differs(wanted: Wanted, held: GoldEvent) -> bool:
    if held.grade != wanted.grade:
        return True
    return wanted.accepted is not None and accepted_by(wanted) != held.accepted


def told(corrections: Sequence[Correction]) -> str:
    """How many, and the first of them by name."""
    shown = corrections[:SHOWN]
    numbers = dict(Topic.objects.filter(pk__in={c.wanted.pair[0] for c in shown}).values_list("pk", "number"))
    docnos = dict(Document.objects.filter(pk__in={c.wanted.pair[1] for c in shown}).values_list("pk", "docno"))
    named = "; ".join(
        f"topic {numbers[c.wanted.pair[0]]}, document {docnos[c.wanted.pair[1]]}: {c.words}" for c in shown
    )
    more = f"; and {len(corrections) - SHOWN} more" if len(corrections) > SHOWN else ""
    are = "pair that is gold is" if len(corrections) == 1 else "pairs that are gold are"
    return f"{len(corrections)} {are} corrected: {named}{more}"


def refuse_unsaid(collection: Collection, wanted: Sequence[Wanted], problems: Problems) -> None:
    """Add a problem where anything would be corrected, though nobody has said that it is to."""
    found = corrections_of(collection, wanted)
    if found:
        problems.add(0, f"{told(found)}. Nothing was taken: say that they are to be corrected")
        problems.check()
