"""Who the annotators of a file are: people who came with an earlier file, or others under the same id.

Nobody is taken for somebody else by chance. An id that an account of the collection goes by is
another person's. Of an id that came with earlier judgments somebody has to say which it is: the
same person, or a new one. Machine judges are those that somebody names, or the file itself, if it
is our own.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from annotation.formats.problems import Problems
from annotation.kernel.visible import visible_annotators
from annotation.models import Annotator, Collection

SAME, NEW = "same", "new"
ALL = "*"
SHOWN = 5
LONGEST = 100  # characters of a pseudonym


@dataclass
class People:
    """By the ids of the file: the rows of those who are here, the pseudonyms of everybody else.
    `machines`: ids of the file that are machine judges."""

    keys: dict[str, int] = field(default_factory=dict)
    pseudonyms: dict[str, str] = field(default_factory=dict)
    machines: frozenset[str] = frozenset()

    @property
    def renamed(self) -> list[str]:
        """Who gets another pseudonym than their id, in words."""
        return [f"{name} is {pseudonym} here" for name, pseudonym in self.pseudonyms.items() if pseudonym != name]


def people_of(collection: Collection, ids: Iterable[str], *, rule: str, problems: Problems) -> People:
    """Who is who. An overlap that `rule` does not decide is a problem; a new pseudonym is noted. One query."""
    here = {name: (pk, user) for name, pk, user in _rows_of_annotators(collection)}
    ids_of_file = list(ids)
    people, in_use = People(), {*here, *ids_of_file}
    returning = [name for name in ids_of_file if name in here and here[name][1] is None]
    if returning and rule not in (SAME, NEW):
        who = _listed(returning)
        problems.add(0, f"{who} came with earlier judgments: say whether they are the same people or new")
        return people
    for name in ids_of_file:
        pk, user = here.get(name, (0, None))
        if pk and user is None and rule == SAME:
            people.keys[name] = pk
        else:
            people.pseudonyms[name] = _free(name, in_use) if pk else name
            in_use.add(people.pseudonyms[name])
    if people.renamed:
        problems.note(0, f"ids that are taken here got a number: {_listed(people.renamed)}")
    return people


def machines_among(ids: Iterable[str], *, names: str, problems: Problems) -> frozenset[str]:
    """The ids in `names`, one to a line or with commas between; `*` is all. A name that is not in the file is a
    problem: it may be misspelt."""
    machines, people = {name.strip() for name in re.split(r"[,\n]", names)} - {""}, set(ids)
    if machines == {ALL}:
        return frozenset(people)
    if missing := sorted(machines - people):
        problems.add(0, f"no annotator of the file is called {', '.join(missing[:SHOWN])}: say which are machines")
    return frozenset(machines & people)


def refuse_people(machines: Iterable[str], key_by_id: Mapping[str, int], problems: Problems) -> None:
    """Who came earlier as a person does not become a machine by a file. `key_by_id`: of annotators who are here."""
    here = {key_by_id[name]: name for name in machines if name in key_by_id}
    people = Annotator.objects.filter(pk__in=here, kind=Annotator.Kind.PERSON).values_list("pk", flat=True)
    if names := sorted(here[pk] for pk in people):
        problems.add(0, f"{', '.join(names[:SHOWN])} came as a person: change that on the annotator’s page first")


def _rows_of_annotators(collection: Collection) -> Iterable[tuple[str, int, int | None]]:
    """Not those whom another import is bringing: that it will be published nobody knows yet."""
    return visible_annotators(collection).values_list("pseudonym", "pk", "user_id")


def _free(name: str, in_use: set[str]) -> str:
    """The id with the first number, from 2, that makes it a pseudonym nobody has."""
    number = 2
    while (free := f"{name[: LONGEST - 8]}-{number}") in in_use:
        number += 1
    return free


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
