"""Whom a rule has paused by itself and holds no more. Off the request path of those who judge."""

from collections.abc import Set as AbstractSet

from annotation.gold.read import judged_gold
from annotation.judging.read import current_pauses
from annotation.models import Collection
from annotation.trust.read.gold_effect import Touched, freed_now


def releases(collection: Collection, *, among: AbstractSet[str]) -> list[Touched]:
    """By pseudonym, of the rules `among` that read gold. Whom a person paused or excluded waits for a person."""
    pauses = current_pauses(collection).values()
    if not any(_is_its_own(pause.created_by_id, pause.rule, among) for pause in pauses):
        return []
    return [
        person
        for person in freed_now(collection, judged_gold(collection))
        if person.pause is not None
        and person.pause_over
        and person.exclusion is None
        and _is_its_own(person.pause.created_by_id, person.pause.rule, among)
    ]


def _is_its_own(paused_by: int | None, rule: str, among: AbstractSet[str]) -> bool:
    return paused_by is None and rule in among
