"""A topic as every format gives it, and the names that its parts have in files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from annotation.formats.duplicates import Reading, each_once
from annotation.formats.fields import WHITE, id_fault, shown, text_fault
from annotation.formats.mapping import Meaning
from annotation.formats.problems import Problems

COLUMNS = ("number", "title", "description", "narrative")
OWN_TEXT = "(text)"  # what stands in an element itself, beside its parts


def _meaning(name: str, names: str, *, needed: bool) -> Meaning:
    return Meaning(name, tuple(names.split()), needed)


MEANINGS = (
    _meaning("number", "number id _id query_id topic_id topic qid num identifier", needed=True),
    _meaning("title", f"title text query question {OWN_TEXT}", needed=True),
    _meaning("description", "description desc question", needed=False),
    _meaning("narrative", "narrative narr", needed=False),
)


@dataclass(frozen=True)
class TopicRow:
    """One topic as a file has it; `line` is where."""

    number: str
    title: str
    description: str
    narrative: str
    line: int


Read: TypeAlias = Reading[TopicRow]


def whole(read: Read) -> Read:
    """`read`, with each number once, and a problem where there is no topic at all."""
    return each_once(read, key=lambda row: row.number, word="topic")


def checked(values: Mapping[str, str], line: int, problems: Problems, *, others: Sequence[str] = ()) -> TopicRow | None:
    """The topic with these values by meaning, or None with the reason reported.

    `others`: the parts that it has where none is the title, so that one can be chosen.
    """
    number, title, description, narrative = (values.get(name, "").strip(WHITE) for name in COLUMNS)
    fault = id_fault(number, "topic number")
    fault = fault or (None if title else f"topic {number} has no title{_choice_of_title(others)}")
    for name, text in (("title", title), ("description", description), ("narrative", narrative)):
        fault = fault or text_fault(text, name)
    if fault:
        problems.add(line, fault)
        return None
    return TopicRow(number, title, description, narrative, line)


def _choice_of_title(others: Sequence[str]) -> str:
    """What can be done where no part of a topic is called like a title: choose one of these."""
    if not others:
        return ""
    example = " ".join(f"{meaning}={name}" for meaning, name in zip(("title", "narrative"), others, strict=False))
    return f", but {', '.join(map(shown, others[:20]))}: choose which part is its title, as {example}"


def note_aside(names: Sequence[str], what: str, problems: Problems) -> None:
    """Say which keys, columns or elements are not part of a topic."""
    if names:
        problems.note(0, f"{what} left aside: {', '.join(sorted(names)[:20])}")
