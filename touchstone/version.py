"""Which version this is: that of the installed package, or of the pyproject.toml of this checkout."""

import tomllib
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def version() -> str:
    """A checkout says what it is, whatever is installed beside it."""
    if PROJECT.is_file():
        return str(tomllib.loads(PROJECT.read_text("utf-8"))["project"]["version"])
    try:
        return installed_version("touchstone")
    except PackageNotFoundError:
        return "unknown"
