"""One file that holds an installation: its rows as JSON lines and the files they name, with checksums throughout.

`saving` writes it while people judge, `opening` proves it whole, `restoring` fills an empty
installation from it. The form is the same for both databases, so a backup of either restores into
either.
"""

from touchstone.backups.manifest import BackupError, Manifest
from touchstone.backups.opening import opened, verify_members
from touchstone.backups.restoring import require_empty, restore_backup
from touchstone.backups.saving import Saved, make_backup

__all__ = [
    "BackupError",
    "Manifest",
    "Saved",
    "make_backup",
    "opened",
    "require_empty",
    "restore_backup",
    "verify_members",
]
