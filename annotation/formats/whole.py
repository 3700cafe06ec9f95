"""A file that is written whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path, *, replace: bool = False) -> Iterator[BinaryIO]:
    """What is written stands under `path` once the block has ended well; after a fault there is nothing new.

    Raises `FileExistsError` where something stands there already, unless `replace`. A block that leaves by a fault, or
    is interrupted, leaves nothing behind.
    """
    _refuse(path, replace=replace)
    incoming = path.with_name(f".{path.name[:100]}-{secrets.token_hex(4)}")
    try:
        with incoming.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _refuse(path, replace=replace)  # something may have come meanwhile
        incoming.replace(path)
    finally:
        incoming.unlink(missing_ok=True)


def _refuse(path: Path, *, replace: bool) -> None:
    if path.exists() and not replace:
        raise FileExistsError(f"{path} is there already")
