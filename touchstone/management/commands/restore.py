"""An installation from a backup."""

import argparse
import json
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from annotation.management.answering import Progress
from touchstone.backups import BackupError, Manifest, opened, require_empty, restore_backup, verify_members


class Command(BaseCommand):
    help = (
        "Fill an empty installation from a backup of either kind of database, all of it or nothing. The file is "
        "checked whole first. The database must have no tables, or be migrated and unused; it ends migrated to this "
        "version. Ends with 0 when everything is back and 1 when nothing was changed. "
        "Example: manage.py restore /srv/backup/touchstone-2026-11-20.zip --dry-run"
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")
        parser.add_argument(
            "--with-key", action="store_true", help="the secret key and the sessions too, if the backup holds them"
        )
        parser.add_argument("--dry-run", action="store_true", help="check the file, say what it holds, change nothing")
        parser.add_argument("--json", action="store_true", help="say what was restored as JSON")

    def handle(self, *, file: Path, with_key: bool, dry_run: bool, json: bool, **_options: object) -> None:
        watch = Progress(self.stderr)
        try:
            with opened(file) as backup:
                if dry_run:
                    verify_members(backup, watch=watch)
                else:
                    restore_backup(backup, with_key=with_key, watch=watch)
        except BackupError as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(
            _as_json(backup.manifest, dry_run=dry_run) if json else _words(backup.manifest, dry_run=dry_run)
        )


def _target_words(manifest: Manifest) -> str:
    """Whether the installation at hand would take the backup."""
    try:
        require_empty(manifest)
    except BackupError as refused:
        return f"It cannot be restored here: {refused}"
    return "It can be restored here."


def _words(manifest: Manifest, *, dry_run: bool) -> str:
    lines = [
        f"{'whole' if dry_run else 'restored'}: {manifest.n_rows} rows, {len(manifest.shas)} files",
        f"saved {manifest.made_at} by Touchstone {manifest.version} on {manifest.database}",
    ]
    lines += [f"missing or damaged already when it was saved: {sha}" for sha in manifest.missing]
    return "\n".join([*lines, *([_target_words(manifest)] if dry_run else [])])


def _as_json(manifest: Manifest, *, dry_run: bool) -> str:
    return json.dumps(
        {
            "restored": not dry_run,
            "version": manifest.version,
            "made_at": manifest.made_at,
            "database": manifest.database,
            "rows": {name: table.rows for name, table in manifest.tables.items()},
            "files": len(manifest.shas),
            "missing": manifest.missing,
            "with_key": manifest.has_key,
        }
    )
