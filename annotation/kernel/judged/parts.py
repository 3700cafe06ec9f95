"""Files of rows, named by their content: what a part says of its file, how one is written, and how it is read again.

A file holds the rows as they lie in memory, and nothing else. Each is compared with its hash as it
is read.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from annotation.kernel.judged.rows import Rows
from annotation.kernel.store import incoming_file, path_of, put

FORM = 1  # of the rows; another number, and the parts of before are made anew
_AT_ONCE = 1 << 15  # rows


class BrokenPartError(Exception):
    """The file of a part is not there, or not as it was written."""


@dataclass(frozen=True)
class Part:
    """`n` rows up to the key `last`, in the file `sha256`. `docnos`: the file of the items' docnos, as JSON."""

    n: int
    last: int
    sha256: str
    docnos: str = ""
    form: int = FORM


def parts_of(stored: list[dict[str, Any]]) -> list[Part]:
    """None where one is of another form, or of no form at all."""
    names = {field.name for field in fields(Part)}
    if any(set(each) != names or each["form"] != FORM for each in stored):
        return []
    return [Part(**each) for each in stored]


def stored_form(parts: Iterable[Part]) -> list[dict[str, Any]]:
    return [asdict(part) for part in parts]


def write_part(portions: Iterable[Rows], docnos: list[str] | None = None) -> list[Part]:
    """Keep the rows, which come by ascending key, as one part; none where there are no rows."""
    n = last = 0
    with incoming_file() as file:
        for rows in portions:
            if len(rows):
                file.take(rows.tobytes())
                n, last = n + len(rows), int(rows["id"][-1])
        if not n:
            return []
        sha = put(file)
    return [Part(n, last, sha, put(json.dumps(docnos).encode()) if docnos is not None else "")]


def rows_of(part: Part, kind: np.dtype[np.void]) -> Iterator[Rows]:
    """Portions of the rows. Raises `BrokenPartError`, after the last portion at the latest."""
    digest, n = hashlib.sha256(), 0
    try:
        with path_of(part.sha256).open("rb") as file:
            while data := file.read(_AT_ONCE * kind.itemsize):
                digest.update(data)
                rows = np.frombuffer(data, dtype=kind)
                n += len(rows)
                if n > part.n:
                    break
                yield rows
    except (OSError, ValueError) as fault:
        raise BrokenPartError(f"{part.sha256}: {fault}") from fault
    if n != part.n or digest.hexdigest() != part.sha256:
        raise BrokenPartError(f"{part.sha256}: its rows are not those that were written")


def check_part(part: Part, kind: np.dtype[np.void]) -> None:
    """Read its files and hold nothing of them. Raises `BrokenPartError`."""
    for _ in rows_of(part, kind):
        pass
    if part.docnos:
        _docnos(part)


def docnos_of(part: Part) -> list[str]:
    """Of the items of the part, one each. Raises `BrokenPartError`."""
    return list(json.loads(_docnos(part)))


def _docnos(part: Part) -> bytes:
    try:
        data = path_of(part.docnos).read_bytes()
    except (OSError, ValueError) as fault:
        raise BrokenPartError(f"{part.docnos}: {fault}") from fault
    if hashlib.sha256(data).hexdigest() != part.docnos:
        raise BrokenPartError(f"{part.docnos}: it is not as it was written")
    return data
