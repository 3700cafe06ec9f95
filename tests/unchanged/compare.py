"""Two folders that `write` has made, side by side. The same change on many pages is told once."""

from collections import defaultdict
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from tests.unchanged.normal import without_spaces

LEFT_OUT = ("var",)  # the database and the files: made anew each time
SHOWN = 40  # lines of a change


def compare(before: Path, after: Path) -> list[str]:
    """What differs, in lines to read; none where nothing does."""
    old, new = _files(before), _files(after)
    differences = [f"only before: {name}" for name in sorted(old - new)] + [
        f"only after: {name}" for name in sorted(new - old)
    ]
    spaces, changes = [], defaultdict[tuple[str, ...], list[str]](list)
    for name in sorted(old & new):
        a, b = (before / name).read_bytes(), (after / name).read_bytes()
        if a == b:
            continue
        lines = _lines(a), _lines(b)
        if name.endswith(".html.txt") and without_spaces(lines[0]) == without_spaces(lines[1]):
            spaces.append(name)
        else:
            changes[_change(*lines)].append(name)
    differences += [
        line for change, names in sorted(changes.items(), key=_most_first) for line in _block(change, names)
    ]
    return differences + [f"only spaces between words or inline elements: {name}" for name in spaces]


def _files(folder: Path) -> set[str]:
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {name.as_posix() for name in names if name.parts[0] not in LEFT_OUT}


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").splitlines()


def _change(old: list[str], new: list[str]) -> tuple[str, ...]:
    """The lines taken away and put in, without where they stand: the same on every page that has it."""
    lines = list(unified_diff(old, new, n=0, lineterm=""))[2:]
    return tuple(line for line in lines if not line.startswith("@@")) or ("other bytes",)


def _most_first(change: tuple[tuple[str, ...], list[str]]) -> tuple[int, str]:
    return -len(change[1]), change[1][0]


def _block(change: tuple[str, ...], names: list[str]) -> Iterator[str]:
    others = f" and {len(names) - 1} more" if len(names) > 1 else ""
    yield f"{names[0]}{others}:"
    yield from (f"    {line[:300]}" for line in change[:SHOWN])
    if len(change) > SHOWN:
        yield f"    … {len(change) - SHOWN} lines more"
