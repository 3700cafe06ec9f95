"""Where stored files are kept: one store for all of the app, whatever lies behind it.

A stored file is named by the SHA-256 of its bytes and never changed. `path_of` gives it as a file
of this machine, to be read or mapped, and is where damage is found; `put` keeps it before the
commit that names it. What is on its way (bundles) lies in a store of its own.
"""

from annotation.kernel.store.disk import DamagedError, DiskStore, Facts, MissingError
from annotation.kernel.store.in_use import (
    FileStore,
    incoming_file,
    path_of,
    put,
    stored_files,
    tidy_files,
    transit_files,
    verify,
)

__all__ = [
    "DamagedError",
    "DiskStore",
    "Facts",
    "FileStore",
    "MissingError",
    "incoming_file",
    "path_of",
    "put",
    "stored_files",
    "tidy_files",
    "transit_files",
    "verify",
]
