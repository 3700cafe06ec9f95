"""Which annotators of a file are machine judges: somebody says so, or the file does, if it is our own."""

import re
from collections.abc import Iterable, Mapping

from annotation.formats.problems import Problems
from annotation.models import Annotator

ALL = "*"
SHOWN = 5


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
