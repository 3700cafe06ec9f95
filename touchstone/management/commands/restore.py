"""An installation from a backup."""

import argparse
import errno
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.progress import Progress
from touchstone.backups import BackupError, Manifest, opened, require_empty, restore_backup, verify_members


class Command(TouchstoneCommand):
    help = (
        "Fill an empty installation from a backup of either kind of database, all of it or nothing. The file is "
        "checked whole first. The database must have no tables, or be migrated and unused; it ends migrated to this "
        "version."
    )
    examples = (
        "touchstone restore /srv/backup/touchstone-2026-11-20.zip --dry-run",
        "touchstone restore /srv/backup/touchstone-2026-11-20.zip --verify --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "everything is back; with --dry-run: it could be restored here; with --verify: the file is whole",
            REFUSED: "refused: the reason is on the standard error, nothing was changed",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")
        parser.add_argument(
            "--with-key", action="store_true", help="the secret key and the sessions too, if the backup holds them"
        )
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="check the file and whether it could be restored here, change nothing",
        )
        parser.add_argument("--verify", action="store_true", help="check the file alone, on whatever installation")

    def handle(self, *, file: Path, with_key: bool, dry_run: bool, verify: bool, **_options: object) -> None:
        if not file.is_file():
            raise MisuseError(f"{file}: {os.strerror(errno.ENOENT)}")
        watch = Progress(self.stderr)
        try:
            with opened(file) as backup:
                if dry_run or verify:
                    verify_members(backup, watch=watch)
                else:
                    restore_backup(backup, with_key=with_key, watch=watch)
            watch.end()
            manifest, is_back = backup.manifest, not (dry_run or verify)
            self.answer(_words(manifest, is_back=is_back), _as_facts(manifest, is_back=is_back))
            if dry_run:
                require_empty(manifest)
                self._say_restorable()
        except BackupError as refused:
            raise RefusedError(str(refused)) from refused
        finally:
            watch.end()

    def _say_restorable(self) -> None:
        if not self.as_json:
            self.stdout.write("It can be restored here.")


def _words(manifest: Manifest, *, is_back: bool) -> str:
    lines = [
        f"{'restored' if is_back else 'whole'}: {manifest.n_rows} rows, {len(manifest.shas)} files",
        f"saved {manifest.made_at} by Touchstone {manifest.version} on {manifest.database}",
    ]
    lines += [f"missing or damaged already when it was saved: {sha}" for sha in manifest.missing]
    return "\n".join(lines)


def _as_facts(manifest: Manifest, *, is_back: bool) -> dict[str, object]:
    return {
        "restored": is_back,
        "version": manifest.version,
        "made_at": manifest.made_at,
        "database": manifest.database,
        "rows": {name: table.rows for name, table in manifest.tables.items()},
        "files": len(manifest.shas),
        "missing": manifest.missing,
        "with_key": manifest.has_key,
    }
