"""The whole installation into one file, while people judge."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from annotation.kernel.commands.base import DONE, REFUSED, RefusedError, TouchstoneCommand
from annotation.kernel.commands.files import refuse_taken
from annotation.kernel.commands.progress import Progress
from touchstone.backups import BackupError, Saved, make_backup


class Command(TouchstoneCommand):
    help = (
        "Save the database and every stored file it names into one new file, readable by its owner alone. "
        "People may judge meanwhile; the rows are those of one moment."
    )
    examples = ("touchstone backup /srv/backup/touchstone-2026-11-20.zip --json",)
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "the file is whole", REFUSED: "there is none: the reason is on the standard error"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file to make; one that is there is never replaced")
        parser.add_argument(
            "--with-key", action="store_true", help="the secret key and the sessions too, so that people stay signed in"
        )
        parser.add_argument(
            "--despite-damage",
            action="store_true",
            help="save the rest where stored files are missing or damaged; the backup lists them",
        )

    def handle(self, *, file: Path, with_key: bool, despite_damage: bool, **_options: object) -> None:
        refuse_taken(file)
        watch = Progress(self.stderr)
        try:
            saved = make_backup(file, with_key=with_key, despite_damage=despite_damage, watch=watch)
        except BackupError as refused:
            raise RefusedError(str(refused)) from refused
        finally:
            watch.end()
        self.answer(_words(saved), _as_facts(saved))


def _words(saved: Saved) -> str:
    manifest = saved.manifest
    lines = [
        f"saved: {manifest.n_rows} rows of {len(manifest.tables)} tables and {len(manifest.shas)} files",
        f"{saved.path}: {saved.size} bytes, sha256 {saved.sha256}",
    ]
    lines += [f"missing or damaged, not saved: {sha}" for sha in manifest.missing]
    if manifest.has_key:
        lines.append("It holds the secret key: keep it as you keep the key.")
    return "\n".join(lines)


def _as_facts(saved: Saved) -> dict[str, object]:
    manifest = saved.manifest
    return {
        "file": str(saved.path),
        "bytes": saved.size,
        "sha256": saved.sha256,
        "rows": {name: table.rows for name, table in manifest.tables.items()},
        "files": len(manifest.shas),
        "missing": manifest.missing,
        "with_key": manifest.has_key,
    }
