"""Where tests write their files: in memory, where there is enough of it.

A sync as in production then costs nothing, nor does the removal of a thousand files.
"""

import os
import shutil
from pathlib import Path

MEMORY, ROOM = Path("/dev/shm"), 4 << 30  # noqa: S108 -- the database of one test is some megabytes


def quick_folder() -> Path | None:
    """None: wherever temporary files usually lie."""
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if roomy else None


def runs_programs(folder: Path) -> bool:
    """Memory may be mounted so that nothing in it is run; environments that tests make are."""
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC
