"""Names as parts of the names of files."""

import re


def safe_name(name: str) -> str:
    """A part of a file's name that every system takes: `nDCG_gains=_exp_@10`."""
    return re.sub(r"[^A-Za-z0-9@.=-]+", "_", name).strip("_")
