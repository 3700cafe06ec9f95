"""A file on its way to the server, read piece by piece and as often as it has to be sent."""

import os
import shutil
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

File = str | os.PathLike[str] | IO[bytes]  # a path, or a file that is open


@dataclass(frozen=True)
class Upload:
    """Parts of a form, beside its fields: a name and an open file, by the names of their fields."""

    files: Mapping[str, tuple[str, IO[bytes]]]
    fields: Mapping[str, Any]

    @property
    def data(self) -> dict[str, Any]:
        """The fields as a form has them: a mapping as JSON."""
        return {name: dumps(value) if isinstance(value, Mapping) else value for name, value in self.fields.items()}


@contextmanager
def uploading(
    file: File, name: str | None, fields: Mapping[str, Any], beside: Mapping[str, str | os.PathLike[str]]
) -> Generator[Upload, None, None]:
    """What is left in an open file goes through a temporary one, for a second try. `beside`: paths of further files."""
    with ExitStack() as stack:
        if isinstance(file, str | os.PathLike):
            stream: IO[bytes] = stack.enter_context(Path(file).open("rb"))
            title = name or Path(file).name
        else:
            stream = stack.enter_context(TemporaryFile())
            shutil.copyfileobj(file, stream)
            stream.flush()  # httpx asks the system how long it is
            title = name or _name_of(file)
        with opened(beside) as others:
            yield Upload({"file": (title, stream), **others}, fields)


@contextmanager
def opened(
    paths: Mapping[str, str | os.PathLike[str]],
) -> Generator[dict[str, tuple[str, IO[bytes]]], None, None]:
    """Files by the names of their fields, open while they are sent."""
    with ExitStack() as stack:
        yield {each: (Path(path).name, stack.enter_context(Path(path).open("rb"))) for each, path in paths.items()}


def _name_of(file: IO[bytes]) -> str:
    """The server is told it, since some forms are told by the ending; an open descriptor has a number instead."""
    name = getattr(file, "name", None)
    return Path(name).name if isinstance(name, str) else "content"
