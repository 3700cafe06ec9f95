"""docs/api.md as programs: its Python in one, its requests by curl, its table of operations."""

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise

from tests.test_docs import page

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ASSIGNMENT = re.compile(r"([A-Z])=(\S+)$")
ROW = re.compile(r"^\| `api_(\w+)` \| .*? \| (.*?) \|", re.MULTILINE)
SENDING = ("-d", "-F", "-T")


def program_of_the_page() -> str:
    """All blocks of Python in their order; the token comes from somewhere else."""
    return "\n".join(['TOKEN = "secret"', *_blocks("python")])


def requests_of_the_page() -> Iterator[tuple[str, str]]:
    """Method and path of every curl; what has been set stays, from block to block."""
    places: dict[str, str] = {}
    for line in "\n".join(_blocks("")).replace("\\\n", " ").splitlines():
        if assigned := ASSIGNMENT.match(line):
            places[assigned[1]] = _filled(assigned[2], places)
        elif line.startswith("curl"):
            yield _request(line, places)


def methods_in_the_table() -> dict[str, set[str]]:
    """By the name of the address, without `api_`."""
    return {name: set(re.findall(r"`([\w.]+)`", cell)) for name, cell in ROW.findall(page("api"))}


def _blocks(language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(page("api")) if name == language]


def _request(line: str, places: dict[str, str]) -> tuple[str, str]:
    words = shlex.split(line if line.count("'") % 2 == 0 else f"{line}'")  # a body may go on in the next line
    plain = [word for before, word in pairwise(words) if before != "-H"]
    address = next(word for word in plain if re.match(r"\$[A-Z]\b", word))
    method = "POST" if any(word in SENDING for word in words) else "GET"
    if "-X" in words:
        method = words[words.index("-X") + 1]
    return method, _filled(address, places).removeprefix("https://touchstone.example.org").partition("?")[0]


def _filled(text: str, places: dict[str, str]) -> str:
    return re.sub(r"\$([A-Z])\b", lambda match: places[match[1]], text)
