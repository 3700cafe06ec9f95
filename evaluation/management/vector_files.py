"""Files of vectors for commands: read, or refused with file, row and reason."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotation.formats.problems import FormatError, Problems
from annotation.kernel.commands.base import MisuseError, RefusedError
from evaluation.formats.vectors.reading import NO_VECTOR, read_vectors
from evaluation.management.files import FAULTS

VECTOR_FORMS = ".npy or .safetensors with a file of ids beside it (docs.npy, docs.ids.txt), Parquet or JSONL"


def read_vector_file(
    name: str, ids: str | None = None, *, zero_rows: bool = True
) -> tuple[list[str], NDArray[np.float32]]:
    """`(ids, vectors)`; the command ends where the file cannot be used."""
    with file_errors(name):
        table = read_vectors(Path(name), Path(ids) if ids else None, zero_rows=zero_rows)
        if not len(table.vector):
            raise Problems(Path(name).name).stop(0, NO_VECTOR)
    return table.ids or [], table.vector


@contextmanager
def file_errors(name: str) -> Iterator[None]:
    """What is wrong with a file ends the command."""
    try:
        yield
    except FormatError as fault:
        message = f"{fault.total} problem{'s' if fault.total > 1 else ''}; nothing was computed."
        more = [f"… and {fault.total - FAULTS} more"] if fault.total > FAULTS else []
        raise RefusedError(message, problems=fault.problems[:FAULTS], advice=more) from fault
    except OSError as fault:
        raise MisuseError(f"{fault.filename or name}: {fault.strerror}") from fault
