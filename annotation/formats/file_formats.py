"""The formats that files of a kind come in, and which of them a file has: by its first bytes, never by its name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Generic, TypeAlias, TypeVar

from annotation.formats.lines import read_chunks
from annotation.formats.problems import Problems

Read = TypeVar("Read")
Columns: TypeAlias = Mapping[str, str]  # what a column means (`docno`) -> the column or key of the file that holds it

HEAD = 1 << 16  # bytes, unpacked, by which a format is recognised
NOTHING = "there is nothing in this file"
UNRECOGNISED = "not recognised as any of "  # how the reason begins where no format fits


def _no_columns(_head: bytes) -> list[tuple[str, str]]:
    return []


@dataclass(frozen=True)
class FileFormat(Generic[Read]):
    """One format. `name` is what options and commands call it, `title` what people read.

    `read` takes the stream, the problems and the columns a person has chosen (empty: as the file says).
    `columns` says, from the head, what each column or key means: `(column, meaning)`, an empty meaning for one that is
    ignored. `mapped`: people may choose which column holds what; elsewhere each has its place. `upload_help` is how
    the page that uploads such files lists it; empty where that page does not. `binary`: it is no text, nor packed.
    """

    name: str
    title: str
    fits: Callable[[bytes], bool]
    read: Callable[[BinaryIO, Problems, Columns], Read]
    columns: Callable[[bytes], list[tuple[str, str]]] = _no_columns
    mapped: bool = False
    upload_help: str = ""
    binary: bool = False


def recognise_format(
    formats: Sequence[FileFormat[Read]], stream: BinaryIO, problems: Problems, *, name: str = ""
) -> tuple[FileFormat[Read], bytes]:
    """`(the format of the file, its head)`; the stream is rewound.

    `name` is the format somebody has chosen; without it the only format that fits. Raises `FormatError` where none
    fits or several do, and for an empty file: nothing is guessed.
    """
    head = _binary_head(formats, stream) or head_of(stream, problems)
    if not head.strip():
        raise problems.stop(0, NOTHING)
    fitting = [each for each in formats if (each.name == name if name else each.fits(head))]
    if len(fitting) == 1:
        return fitting[0], head
    choices = ", ".join(f"{each.title} ({each.name})" for each in fitting or formats)
    if name:
        raise problems.stop(0, f"there is no form {name!r}; there are {choices}")
    if fitting:
        raise problems.stop(0, f"this may be {choices}: choose which")
    raise problems.stop(0, f"{UNRECOGNISED}{choices}")


def _binary_head(formats: Sequence[FileFormat[Read]], stream: BinaryIO) -> bytes:
    """The first bytes as they lie, where one of the binary formats begins so; the stream is rewound.

    Where no format is binary nothing is read: the stream may be a pipe.
    """
    binary = [each for each in formats if each.binary]
    if not binary:
        return b""
    head = stream.read(HEAD)
    stream.seek(0)
    return head if any(each.fits(head) for each in binary) else b""


def refuse_mapping(file_format: FileFormat[Read], chosen: Columns, problems: Problems) -> None:
    """Raises `FormatError` where columns are chosen in a format that has a place for each."""
    if chosen and not file_format.mapped:
        raise problems.stop(0, f"{file_format.title} has its columns in fixed places: none can be chosen")


def meanings_of_columns(file_format: FileFormat[Read], head: bytes, chosen: Columns) -> list[tuple[str, str]]:
    """Each column or key of the file with what it means: as chosen, else as the format says; "" for none."""
    chosen_meanings = {column: meaning for meaning, column in chosen.items()}
    usual = file_format.columns(head)
    return [(column, chosen_meanings.get(column, "" if meaning in chosen else meaning)) for column, meaning in usual]


def listed_formats(formats: Sequence[FileFormat[Read]]) -> str:
    """`TREC SGML, JSONL or XML`: the formats as the page that uploads such files lists them."""
    *others, last = [each.upload_help for each in formats if each.upload_help]
    comma = "," if " and " in last else ""
    return f"{', '.join(others)}{comma} or {last}"


def head_of(stream: BinaryIO, problems: Problems) -> bytes:
    """The first bytes, unpacked, without a byte order mark; the stream is rewound."""
    head = b""
    for chunk in read_chunks(stream, problems):
        head += chunk
        if len(head) >= HEAD:
            break
    stream.seek(0)
    return head[:HEAD]
