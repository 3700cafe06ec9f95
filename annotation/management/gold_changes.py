"""What commands that change gold have in common: it is said whom the change touches, and confirmed."""

import argparse
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.kernel.commands.base import MisuseError, RefusedError
from annotation.trust.read.gold_effect import Effect


def add_confirmation(parser: argparse.ArgumentParser) -> None:
    words = "confirms a change that touches people, as --dry-run gave it"
    parser.add_argument("--seen", type=int, metavar="N", help=words)
    words = "who comes back, of those whom the change frees, as often as wanted; the others stay paused"
    parser.add_argument("--bring-back", action="append", default=[], metavar="PSEUDONYM", help=words)


def require_confirmed(effect: Effect, seen: int | None, bring_back: Iterable[str]) -> None:
    """Refuses a change that touches people and was not confirmed; misuse where who is named is not freed by it."""
    if seen is None and not effect.is_nothing:
        raise RefusedError("This change touches people: see whom with --dry-run, and confirm with its --seen.")
    unknown = set(bring_back) - {person.pseudonym for person in effect.freed}
    if unknown:
        raise MisuseError(f"{', '.join(sorted(unknown))}: not freed by this change.")


def effect_facts(effect: Effect) -> dict[str, Any]:
    return {
        "stored": False,
        "seen": effect.last_event,
        "n_rescored": effect.n_rescored,
        "n_people": len(effect.people),
        "n_told": effect.n_told,
        "n_ahead": effect.n_ahead,
        "changed": [person.pseudonym for person in effect.changed],
        "freed": [person.pseudonym for person in effect.freed],
    }


def effect_words(effect: Effect) -> str:
    return "\n".join(_lines(effect))


def _lines(effect: Effect) -> Iterator[str]:
    people = len(effect.people)
    yield f"would be changed; judgments scored anew: {effect.n_rescored}, of so many people: {people}"
    if effect.n_told or effect.n_ahead:
        yield f"people told of another grade: {effect.n_told}; cards still before people: {effect.n_ahead}"
    for person in effect.changed:
        yield f"  {person.pseudonym}: {person.before.standing}, then {person.after.standing}"
    if effect.freed:
        names = ", ".join(person.pseudonym for person in effect.freed)
        yield f"no rule would hold any more: {names}; --bring-back lets them go on"
    yield f"to confirm: --seen {effect.last_event}"
