"""The forms that files of a kind come in, and which of them a file has: told by its first bytes, never by its name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Generic, TypeAlias, TypeVar

from annotation.formats.lines import read_chunks
from annotation.formats.problems import Problems

Read = TypeVar("Read")
Columns: TypeAlias = Mapping[str, str]  # what a column means (`docno`) -> the column or key of the file that holds it

HEAD = 1 << 16  # bytes, unpacked, by which a form is told
UNRECOGNISED = "not recognised as any of "  # how the reason begins where no form fits


def _says_nothing(_head: bytes) -> list[tuple[str, str]]:
    return []


@dataclass(frozen=True)
class Form(Generic[Read]):
    """One form. `name` is what options and commands call it, `title` what people read.

    `read` takes the stream, the problems and the columns a person has chosen (empty: as the file says).
    `columns` says, from the head, what each column or key is taken as: `(column, meaning)`, an empty meaning
    for one left aside. `mapped`: people may say which column holds what; elsewhere each has its place.
    """

    name: str
    title: str
    fits: Callable[[bytes], bool]
    read: Callable[[BinaryIO, Problems, Columns], Read]
    columns: Callable[[bytes], list[tuple[str, str]]] = _says_nothing
    mapped: bool = False


def recognised(
    forms: Sequence[Form[Read]], stream: BinaryIO, problems: Problems, *, name: str = ""
) -> tuple[Form[Read], bytes]:
    """`(the form of the file, its head)`; the stream stands at its beginning again.

    `name` is the form somebody has chosen; without it the only form that fits. Raises `FormatError` where none fits or
    several do, and for an empty file: nothing is guessed.
    """
    head = head_of(stream, problems)
    if not head.strip():
        raise problems.stop(0, "there is nothing in this file")
    fitting = [form for form in forms if (form.name == name if name else form.fits(head))]
    if len(fitting) == 1:
        return fitting[0], head
    known = ", ".join(f"{form.title} ({form.name})" for form in fitting or forms)
    if name:
        raise problems.stop(0, f"there is no form {name!r}; there are {known}")
    if fitting:
        raise problems.stop(0, f"this may be {known}: choose which")
    raise problems.stop(0, f"{UNRECOGNISED}{known}")


def refuse_mapping(form: Form[Read], chosen: Columns, problems: Problems) -> None:
    """Raises `FormatError` where columns are chosen in a form that has a place for each."""
    if chosen and not form.mapped:
        raise problems.stop(0, f"{form.title} has its columns in fixed places: none can be chosen")


def taken(form: Form[Read], head: bytes, chosen: Columns) -> list[tuple[str, str]]:
    """Each column or key of the file with what it is taken as: as chosen, else as the form says; "" for none."""
    means = {column: meaning for meaning, column in chosen.items()}
    said = form.columns(head)
    return [(column, means.get(column, "" if meaning in chosen else meaning)) for column, meaning in said]


def head_of(stream: BinaryIO, problems: Problems) -> bytes:
    """The first bytes, unpacked, without a byte order mark; the stream stands at its beginning again."""
    head = b""
    for chunk in read_chunks(stream, problems):
        head += chunk
        if len(head) >= HEAD:
            break
    stream.seek(0)
    return head[:HEAD]
