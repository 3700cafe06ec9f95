"""Filling an empty installation from a backup: all of it, or nothing."""

from collections.abc import Mapping
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from annotation.corpus.steps.document_index import empty_index
from annotation.kernel.store import put, stored_files
from annotation.text.watch import Watch
from touchstone.backups import tables
from touchstone.backups.manifest import KEY, MADE_ANEW, WITH_KEY_ALONE, BackupError, Manifest, file_member
from touchstone.backups.opening import Opened, verify_members

MADE_BY_START = "annotation_installation"  # a server or worker has run, nothing more
MADE_BY_MIGRATE = ("auth_permission", "django_content_type")  # all that a migrated, unused database holds


def restore_backup(backup: Opened, *, with_key: bool = False, watch: Watch) -> None:
    """Put files and rows back, then migrate to this version. Raises `BackupError`, having changed nothing.

    Files come first, as ever: what names them appears in one commit at the end. `with_key` brings the secret key back
    and with it the sessions, so that people stay signed in.
    """
    manifest = backup.manifest
    require_fitting(manifest, with_key=with_key)
    require_empty(manifest)
    verify_members(backup, watch=watch)
    new = list[str]()
    try:
        _put_files(backup, new, watch)
        _prepare_tables(manifest)
        _load_rows(backup, with_key=with_key, watch=watch)
    except BaseException:
        for sha in new:
            stored_files().discard(sha)
        raise
    if with_key:
        _put_key(backup)
    call_command("migrate", interactive=False, verbosity=0)
    empty_index()


def require_fitting(manifest: Manifest, *, with_key: bool) -> None:
    tables.require_known(manifest.migrations)
    models = tables.tables_at(manifest.migrations)
    odd = (manifest.tables.keys() ^ models.keys()) - WITH_KEY_ALONE - MADE_ANEW
    if odd:
        raise BackupError(f"Backup and this version differ in whether there is a table {min(odd)}.")
    for name, table in manifest.tables.items():
        if set(table.columns) != set(tables.columns_of(models[name])):
            raise BackupError(f"The table {name} has other columns in this version.")
    if with_key and not manifest.has_key:
        raise BackupError("This backup holds no secret key; restore it without --with-key.")
    if with_key and not _key_is_ours():
        raise BackupError(
            "The secret key is given by TOUCHSTONE_SECRET_KEY: set it there, and restore without --with-key."
        )


def require_empty(manifest: Manifest) -> None:
    """Raises `BackupError` unless the database has no tables, or is unused and migrated no further than it was."""
    applied = tables.applied_migrations()
    if not applied and set(connection.introspection.table_names()) - {"django_migrations"}:
        raise BackupError("The database holds tables that are not Touchstone's. Restore into an empty one.")
    for name, model in tables.tables_at(applied).items():
        if name not in (*MADE_BY_MIGRATE, MADE_BY_START) and model._base_manager.exists():  # noqa: SLF001 -- Django's own way in
            raise BackupError(f"The database is in use: {name} has rows. Restore into an empty one.")
    if not set(applied) <= set(manifest.migrations):
        raise BackupError("The database is migrated further than the backup's was. Restore into one without tables.")


def _put_files(backup: Opened, new: list[str], watch: Watch) -> None:
    """Those that were not there before are noted in `new`, also where the disk is full in the middle."""
    shas = backup.manifest.shas
    for at, sha in enumerate(shas):
        watch(at, len(shas), f"Restoring file {at + 1} of {len(shas)}")
        if not stored_files().exists(sha):
            new.append(sha)
        try:
            with backup.archive.open(file_member(sha)) as stream:
                put(stream)  # type: ignore[arg-type]  # it reads, which is all that is asked
        except OSError as fault:
            raise BackupError(f"The stored files cannot be written: {fault.strerror}.") from fault


def _prepare_tables(manifest: Manifest) -> None:
    """Tables as they were when the backup was made."""
    MigrationExecutor(connection).migrate(tables.last_of_each_app(manifest.migrations))


def _load_rows(backup: Opened, *, with_key: bool, watch: Watch) -> None:
    models = tables.tables_at(backup.manifest.migrations)
    try:
        with transaction.atomic(durable=True):
            for name in MADE_BY_MIGRATE:
                tables.empty(models[name])
            _load_tables(backup, models, with_key=with_key, watch=watch)
            tables.set_sequences(models.values())
            connection.check_constraints()
    except DatabaseError as fault:
        raise BackupError(f"The database does not take the rows: {fault}") from fault


def _load_tables(backup: Opened, models: Mapping[str, tables.Model], *, with_key: bool, watch: Watch) -> None:
    left_out = MADE_ANEW if with_key else MADE_ANEW | WITH_KEY_ALONE
    wanted = [name for name in backup.manifest.tables if name not in left_out]
    if MADE_BY_START in wanted:
        tables.empty(models[MADE_BY_START])
    for at, name in enumerate(wanted):
        watch(at, len(wanted), f"Restoring {name}")
        tables.load(models[name], backup.manifest.tables[name].columns, backup.lines(name))


def _key_is_ours() -> bool:
    """Whether the key in use is the one that lies in TOUCHSTONE_VAR, where it can be put."""
    path = _key_path()
    return path.exists() and path.read_text().strip() == settings.SECRET_KEY


def _put_key(backup: Opened) -> None:
    path = _key_path()
    draft = path.with_name(f"{path.name}.restored")
    draft.touch(mode=0o600)
    draft.write_bytes(backup.archive.read(KEY))
    draft.replace(path)


def _key_path() -> Path:
    folder: Path = settings.TOUCHSTONE_VAR
    return folder / "secret_key"
