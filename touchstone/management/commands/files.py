"""The stored files: which are there, which no row names, which are missing or damaged. Changes nothing."""

import argparse
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType

from django.conf import settings

from annotation.formats.store import path_of, verify
from annotation.kernel.commands.base import DONE, REFUSED, RefusedError, TouchstoneCommand
from annotation.kernel.commands.progress import Progress
from touchstone.backups import naming, tables

DAY = 24 * 3600.0  # seconds; a younger file may be one that is being stored: its row comes after it


@dataclass(frozen=True)
class FileReport:
    """Files by SHA-256. `unnamed`: no row names or mentions them, and they are older than a day. `left`: what a
    writing that was cut short has left, by file name. `damaged` stays empty unless all were read."""

    n_files: int
    n_bytes: int
    missing: dict[str, str]
    damaged: list[str]
    unnamed: list[str]
    left: list[str]


class Command(TouchstoneCommand):
    help = (
        "List stored files that no row names, and rows whose files are missing. Changes nothing; files without a row "
        "may be removed by hand while server and workers stand still."
    )
    examples = ("touchstone files", "touchstone files --verify --json")
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "every file that rows name is there, and with --verify whole", REFUSED: "some are missing or damaged"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--verify", action="store_true", help="read every file and compare it with its name")

    def handle(self, *, verify: bool, **_options: object) -> None:
        watch = Progress(self.stderr)
        report = _file_report(settings.TOUCHSTONE_FILES, read_all=verify, watch=watch)
        watch.end()
        self.answer("\n".join(_words(report, read_all=verify)), asdict(report))
        if report.missing or report.damaged:
            raise RefusedError(f"{len(report.missing)} files are missing, {len(report.damaged)} damaged.")


def _file_report(root: Path, *, read_all: bool, watch: Progress) -> FileReport:
    """Files first, then rows: what is named only while we look is not taken for unnamed."""
    there = sorted(naming.stored_files(root))
    left = [path.name for path in naming.left_incoming(root) if _is_old(path)]
    with tables.snapshot():
        models = tables.tables_at(tables.applied_migrations())
        named, mentioned = naming.named_files(models), naming.mentioned(models)
    unnamed = [sha for sha in there if sha not in named and sha not in mentioned and _is_old(path_of(root, sha))]
    return FileReport(
        n_files=len(there),
        n_bytes=sum(path_of(root, sha).stat().st_size for sha in there),
        missing={sha: column for sha, column in sorted(named.items()) if not path_of(root, sha).exists()},
        damaged=list(_damaged(root, there, watch)) if read_all else [],
        unnamed=unnamed,
        left=left,
    )


def _damaged(root: Path, shas: list[str], watch: Progress) -> Iterator[str]:
    for at, sha in enumerate(shas):
        watch(at, len(shas), f"Reading file {at + 1} of {len(shas)}")
        if not verify(root, sha):
            yield sha


def _is_old(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > DAY
    except FileNotFoundError:
        return False


def _words(report: FileReport, *, read_all: bool) -> Iterator[str]:
    yield f"{report.n_files} files, {report.n_bytes} bytes{', all read' if read_all else ''}"
    for sha, column in report.missing.items():
        yield f"missing: {sha}, named by {column}"
    for sha in report.damaged:
        yield f"damaged: {sha}"
    for sha in report.unnamed:
        yield f"no row names it: {sha}"
    for name in report.left:
        yield f"left by a writing that was cut short: {name}"
