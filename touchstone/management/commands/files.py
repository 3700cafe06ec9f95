"""The stored files: which are there, which no row names, which are missing or damaged; those of no row taken away."""

import argparse
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType

from annotation.kernel.audit import record_audit
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import add_dry_run
from annotation.kernel.commands.progress import Progress
from annotation.kernel.store import FileStore, stored_files
from touchstone.backups import BackupError, naming, tables

DAY = 24 * 3600.0  # seconds; a younger file may be one that is being stored: its row comes after it
USUAL_AGE = 1  # days


@dataclass(frozen=True)
class FileReport:
    """Files by SHA-256. `unnamed`: no row names or mentions them, and they are old. `left`: what a writing that was
    cut short has left, by file name. `damaged` stays empty unless all were read. `n_named`: how many rows name."""

    n_files: int
    n_bytes: int
    n_named: int
    n_unnamed_bytes: int
    missing: dict[str, str]
    damaged: list[str]
    unnamed: list[str]
    left: list[str]


class Command(TouchstoneCommand):
    help = (
        "List stored files that no row names, and rows whose files are missing. With --remove those that no row names "
        "and nobody has written for so many days are taken away, while others work."
    )
    examples = (
        "touchstone files",
        "touchstone files --verify --json",
        "touchstone files --remove --older-than 30 --dry-run",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "every file that rows name is there, and with --verify whole",
            REFUSED: "some are missing or damaged, or no row names any: then none is removed",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--verify", action="store_true", help="read every file and compare it with its name")
        parser.add_argument("--remove", action="store_true", help="take away what no row names; wants --older-than")
        parser.add_argument(
            "--older-than", type=int, metavar="DAYS", help=f"since it was last written; to be listed, {USUAL_AGE}"
        )
        add_dry_run(parser)

    def handle(self, *, verify: bool, remove: bool, older_than: int | None, dry_run: bool, **_options: object) -> None:
        files, seconds = stored_files(), _seconds(older_than, is_wanted=remove)
        watch = Progress(self.stderr)
        try:
            report = _file_report(files, seconds, read_all=verify, watch=watch)
        except BackupError as error:
            raise RefusedError(str(error)) from error
        finally:
            watch.end()
        reason = _refusal(report, remove=remove)
        removed = _removed(files, report, seconds) if remove and not dry_run and not reason else []
        words = [*_words(report, read_all=verify), *(f"removed: {sha}" for sha in removed)]
        self.answer("\n".join(words), {**asdict(report), "removed": removed})
        if reason:
            raise RefusedError(reason)


def _seconds(days: int | None, *, is_wanted: bool) -> float:
    if days is None and is_wanted:
        raise MisuseError("--remove wants --older-than DAYS.")
    if days is not None and days < USUAL_AGE:
        raise MisuseError(
            f"--older-than: at least {USUAL_AGE} day. A younger file may be one whose row is about to come."
        )
    return DAY * (days or USUAL_AGE)


def _refusal(report: FileReport, *, remove: bool) -> str:
    """Why the command ends with 1; empty where all is well."""
    if report.missing or report.damaged:
        return f"{len(report.missing)} files are missing, {len(report.damaged)} damaged."
    if remove and report.unnamed and not report.n_named:
        return "No row names any file: is this the database that belongs to them? Nothing was removed."
    return ""


def _removed(files: FileStore, report: FileReport, seconds: float) -> list[str]:
    """Those that nobody has stored again since they were listed."""
    shas = [sha for sha in report.unnamed if files.remove(sha, older_than=seconds)]
    n_left = files.sweep_incoming(older_than=seconds)
    if shas or n_left:
        record_audit("files removed", actor=None, collection=None, subject="", n=len(shas), n_left=n_left)
    return shas


def _file_report(files: FileStore, seconds: float, *, read_all: bool, watch: Progress) -> FileReport:
    """Files first, then rows: what is named only while we look is not taken for unnamed."""
    there, oldest = files.all_facts(), time.time() - seconds
    left = [path.name for path in files.left_incoming(older_than=seconds)]
    with tables.snapshot():
        models = tables.tables_at(tables.applied_migrations())
        named, mentioned = naming.named_files(models), naming.mentioned(models)
    nobodys = [sha for sha in there if sha not in named and sha not in mentioned]
    unnamed = [sha for sha in nobodys if there[sha].stored_at < oldest]
    return FileReport(
        n_files=len(there),
        n_bytes=sum(facts.size for facts in there.values()),
        n_named=len(named),
        n_unnamed_bytes=sum(there[sha].size for sha in unnamed),
        missing={sha: column for sha, column in sorted(named.items()) if sha not in there and not files.exists(sha)},
        damaged=list(_damaged(files, list(there), watch)) if read_all else [],
        unnamed=unnamed,
        left=left,
    )


def _damaged(files: FileStore, shas: list[str], watch: Progress) -> Iterator[str]:
    for at, sha in enumerate(shas):
        watch(at, len(shas), f"Reading file {at + 1} of {len(shas)}")
        if not files.verify(sha):
            yield sha


def _words(report: FileReport, *, read_all: bool) -> Iterator[str]:
    yield f"{report.n_files} files, {report.n_bytes} bytes{', all read' if read_all else ''}"
    for sha, column in report.missing.items():
        yield f"missing: {sha}, named by {column}"
    for sha in report.damaged:
        yield f"damaged: {sha}"
    for sha in report.unnamed:
        yield f"no row names it: {sha}"
    if report.unnamed:
        yield f"no row names {len(report.unnamed)} files, {report.n_unnamed_bytes} bytes"
    for name in report.left:
        yield f"left by a writing that was cut short: {name}"
