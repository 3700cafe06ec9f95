"""Lines that a person sends along with a question: kept under their hash, read by the job."""

from collections.abc import Callable
from io import BytesIO
from typing import BinaryIO, TypeVar

from annotation.formats.problems import FormatError, Problems
from annotation.kernel.jobs import JobRefusedError
from annotation.kernel.store import path_of, put

SHOWN = 20  # problems in the error of a job

Parsed = TypeVar("Parsed")


def keep_lines(text: str) -> str:
    """The hash; the same whether the last line is ended or not."""
    return put(f"{text.rstrip()}\n".encode())


def read_lines_kept(sha256: str, title: str, parse: Callable[[BinaryIO, Problems], Parsed]) -> Parsed:
    """What the lines say. Raises `JobRefusedError` with every wrong one, `title` in front of its number."""
    stream = BytesIO(path_of(sha256).read_bytes())
    try:
        return parse(stream, Problems(title))
    except FormatError as fault:
        raise JobRefusedError("; ".join(map(str, fault.problems[:SHOWN]))) from fault
