"""What evaluating commands write."""

import re
from pathlib import Path

from django.core.management.base import CommandError, OutputWrapper


def write_text(text: str, output: Path | None, stdout: OutputWrapper) -> None:
    """Into the file, or to the standard output where none is named."""
    if output is None:
        stdout.write(text, ending="")
        return
    try:
        output.write_text(text, "utf-8")
    except OSError as fault:
        raise CommandError(f"{output}: {fault.strerror}") from fault


def safe_name(name: str) -> str:
    """A part of a file's name that every system takes: `nDCG_gains=_exp_@10`."""
    return re.sub(r"[^A-Za-z0-9@.=-]+", "_", name).strip("_")
