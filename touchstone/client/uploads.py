"""A file on its way to the server, read piece by piece and as often as it has to be sent."""

import os
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

File = str | os.PathLike[str] | IO[bytes]  # a path, or a file that is open


@dataclass(frozen=True)
class Upload:
    """A part of a form, beside its fields."""

    stream: IO[bytes]
    name: str
    fields: Mapping[str, Any]

    @property
    def data(self) -> dict[str, Any]:
        """The fields as a form has them: a mapping as JSON."""
        return {name: dumps(value) if isinstance(value, Mapping) else value for name, value in self.fields.items()}


@contextmanager
def uploading(file: File, name: str | None, fields: Mapping[str, Any]) -> Generator[Upload, None, None]:
    """What is left in an open file goes through a temporary one: a second try begins where the first did."""
    if isinstance(file, str | os.PathLike):
        with Path(file).open("rb") as stream:
            yield Upload(stream, name or Path(file).name, fields)
    else:
        with TemporaryFile() as stream:
            shutil.copyfileobj(file, stream)
            stream.flush()  # httpx asks the system how long it is
            yield Upload(stream, name or _name_of(file), fields)


def _name_of(file: IO[bytes]) -> str:
    """The server is told it, since some forms are told by the ending; an open descriptor has a number instead."""
    name = getattr(file, "name", None)
    return Path(name).name if isinstance(name, str) else "content"
