"""Lines of JSON objects (JSONL): strict where Python's reader is lenient.

A key twice, NaN, nesting deeper than `MAX_DEPTH` and a text that UTF-8 cannot hold are problems by
file and line. NUL, which JSON can spell as \\u0000, becomes U+FFFD and is counted in a note.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, BinaryIO, TypeAlias

from annotation.formats.fields import REPLACEMENT, shown, text_fault
from annotation.formats.lines import DEFAULT_LIMITS, Aside, Limits, note_replaced, read_lines
from annotation.formats.problems import Problems

Json: TypeAlias = str | int | float | bool | list["Json"] | dict[str, "Json"] | None

MAX_DEPTH = 32
_LF = "\n"
_ODD = (b"\\", b"[", b" :", b"\t:", b"\r", b"NaN", b"Infinity", b"\0")  # what is read line by line, if only for safety


def read_objects(
    stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS, aside: Aside | None = None
) -> Iterator[tuple[int, dict[str, Json]]]:
    """`(line number, object)` for each line that is a JSON object, but blank lines and those `aside` takes."""
    yield from objects_of(read_lines(stream, problems, limits, aside), problems)


def objects_of(lines: Iterator[tuple[int, str]], problems: Problems) -> Iterator[tuple[int, dict[str, Json]]]:
    """As `read_objects`, from lines already read."""
    replaced = 0
    for number, text in lines:
        if not text.strip():
            continue
        value = _parsed(text, number, problems)
        if value is None:
            continue
        if "\\u0000" in text:
            value, count = without_nul(value)
            replaced += count
        yield number, value
    if replaced:
        note_replaced(problems, replaced)


class ObjectsInBulk:
    """Values of many lines at once, where each line is one flat object. `take` is given the first line's number and the
    values of each of `keys`, and says whether it could use them; what is not taken is read line by line.
    """

    def __init__(self, take: Callable[[int, list[list[Json]]], bool]) -> None:
        self._take = take
        self.keys: list[str] | None = None  # until they are known, nothing is taken

    def takes(self, text: bytes, line: int) -> bool:
        if self.keys is None:
            return False
        objects = _flat_objects(text.removesuffix(b"\r").replace(b"\r\n", b"\n"))
        if objects is None:
            return False
        try:
            columns = [list(map(itemgetter(key), objects)) for key in self.keys]
        except KeyError:
            return False
        return self._take(line, columns)


def _flat_objects(text: bytes) -> list[dict[str, Json]] | None:
    """The object on each line, read as one array; None where anything is unusual.

    One opening and one closing brace a line, at its ends, and as many objects as lines: so none runs over a line end.
    Without escapes and blanks before colons each key shows as `":`, and one that stands twice by there being too many.
    """
    n = text.count(b"\n") + 1
    braces = text.count(b"{"), text.count(b"}"), (b"\n" + text).count(b"\n{"), (text + b"\n").count(b"}\n")
    if braces != (n, n, n, n) or any(odd in text for odd in _ODD):
        return None
    try:
        objects: list[dict[str, Json]] = json.loads(f"[{text.decode().replace(_LF, ',')}]")
    except ValueError:  # of JSON, of UTF-8, and for numbers with too many digits
        return None
    return objects if len(objects) == n and sum(map(len, objects)) == text.count(b'":') else None


def text_of(value: Json, what: str, line: int, problems: Problems) -> str | None:
    """A string as it stands, null as the empty string; anything else is a problem."""
    if value is None:
        return ""
    if not isinstance(value, str):
        problems.add(line, f"the {what} is not a string")
        return None
    fault = text_fault(value, what)
    if fault:
        problems.add(line, fault)
    return None if fault else value


def id_of(value: Json) -> str | None:
    """An id: a string, or a JSON integer written in digits (`7` → `"7"`); None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None


def as_text(value: Json) -> str:
    """A further key's value as text: strings as they stand, everything else as JSON with sorted keys."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _parsed(text: str, number: int, problems: Problems) -> dict[str, Json] | None:
    """The object on a line, or None with the reason reported."""
    try:
        value: Json = DECODER.decode(text)
        if not isinstance(value, dict):
            raise ValueError("an object ({…}) is expected")
        if text.count("{") + text.count("[") > MAX_DEPTH and deeper_than(value, MAX_DEPTH):
            raise RecursionError
    except RecursionError:
        problems.add(number, f"nested deeper than {MAX_DEPTH} levels")
    except ValueError as error:
        problems.add(number, f"not a JSON object: {reason_of(error)}")
    else:
        return value
    return None


def reason_of(error: ValueError) -> str:
    """Why something on one line is no JSON: without Python's own count of lines, and its advice on longer numbers."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.removesuffix(' at')} at character {error.pos + 1}"
    return "a number has too many digits" if str(error).startswith("Exceeds the limit") else str(error)


def parsed_or_none(raw: bytes) -> dict[str, Json] | None:
    """The object that a line holds, or None: for a first look."""
    try:
        return _parsed(raw.decode(), 0, Problems(""))
    except UnicodeDecodeError:
        return None


def deeper_than(value: Json, limit: int) -> bool:
    """Walks level by level, so that depth costs no recursion."""
    level = [value]
    for _ in range(limit + 1):
        inner = [list(v.values()) if isinstance(v, dict) else v for v in level if isinstance(v, (dict, list))]
        if not inner:
            return False
        level = [value for values in inner for value in values]
    return True


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        times = Counter(name for name, _ in pairs)
        raise ValueError(f"the key {shown(next(name for name, n in times.items() if n > 1))} stands twice")
    return value


def _refuse_constant(constant: str) -> Json:
    raise ValueError(f"{constant} is not a JSON number")


DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse_constant)  # strict: no key twice, no NaN


def strict_json(text: str) -> Any:
    """The value that a text holds. Raises `ValueError` for a key that stands twice, NaN and very deep nesting, too."""
    try:
        return DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def without_nul(row: dict[str, Json]) -> tuple[dict[str, Json], int]:
    """`(the object with U+FFFD in place of NUL, how many there were)`."""
    return {name.replace("\0", REPLACEMENT): _without_nul(value) for name, value in row.items()}, _nuls(row)


def _nuls(value: Json) -> int:
    if isinstance(value, dict):
        return sum(name.count("\0") + _nuls(inner) for name, inner in value.items())
    if isinstance(value, list):
        return sum(map(_nuls, value))
    return value.count("\0") if isinstance(value, str) else 0


def _without_nul(value: Json) -> Json:
    if isinstance(value, dict):
        return {name.replace("\0", REPLACEMENT): _without_nul(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without_nul(inner) for inner in value]
    return value.replace("\0", REPLACEMENT) if isinstance(value, str) else value
