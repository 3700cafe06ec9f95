"""Which annotators of a file are machine judges: somebody says so, or the file does, if it is our own."""

import re
from collections.abc import Iterable, Mapping

from annotation.formats.problems import Problems
from annotation.models import Annotator

ALL = "*"
SHOWN = 5


def machines_among(ids: Iterable[str], *, said: str, problems: Problems) -> frozenset[str]:
    """The ids that `said` names, one to a line or with commas between; `*` is all. A name that is not in the file is a
    problem: it may be misspelt."""
    wanted, known = {name.strip() for name in re.split(r"[,\n]", said)} - {""}, set(ids)
    if wanted == {ALL}:
        return frozenset(known)
    if missing := sorted(wanted - known):
        problems.add(0, f"no annotator of the file is called {', '.join(missing[:SHOWN])}: say which are machines")
    return frozenset(wanted & known)


def refuse_people(machines: Iterable[str], known: Mapping[str, int], problems: Problems) -> None:
    """Who came earlier as a person does not become a machine by a file. `known`: annotators by the ids of the file."""
    here = {known[name]: name for name in machines if name in known}
    people = Annotator.objects.filter(pk__in=here, kind=Annotator.Kind.PERSON).values_list("pk", flat=True)
    if named := sorted(here[pk] for pk in people):
        problems.add(0, f"{', '.join(named[:SHOWN])} came as a person: change that on the annotator’s page first")
