"""The way of a file: it is kept under its hash, checked by a job, looked at by a person, stored by another job.

Rows are staged in short transactions under the unpublished import, so that judging never waits for
them; one flip at the end makes them visible. A collection stores one import at a time; a second one
waits its turn.
"""

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import BinaryIO

from django.db import transaction
from django.utils import timezone

from annotation.exchange.read.imports import CHECK, STORE, job_of
from annotation.exchange.steps.importing.importer import (
    KEPT_PROBLEMS,
    Importer,
    add_aside,
    add_duplicates,
    importer_for,
    preview_of,
    rows_of_problems,
)
from annotation.exchange.steps.importing.mistaken_kind import note_likely_kind
from annotation.exchange.steps.importing.sweeping import clear_rows
from annotation.exchange.steps.importing.turns import take_turn
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import LIVE, SHORT, JobRefusedError, JobRun, ask_cancel, begin_here, do_here, enqueue
from annotation.kernel.notices import settle, tell
from annotation.kernel.store import path_of, put, stored_files
from annotation.models import Collection, Import, Job, Preview, User
from annotation.text.counted import counted
from annotation.text.watch import Watch

SMALL = 1 << 20  # bytes, as the file came
ENDED = (Import.State.PUBLISHED, Import.State.REFUSED, Import.State.CANCELLED, Import.State.FAILED)

Options = dict[str, "str | bool | Mapping[str, str]"]


def start_import(
    collection: Collection,
    *,
    kind: str,
    stream: BinaryIO,
    filename: str,
    created_by: User | None,
    publish: bool = False,
    **options: str | Mapping[str, str],
) -> Import:
    """Keep the file and queue its check; with `publish`, what has no problem is then stored without asking.

    The options `format` and `columns` say how the file is read; without them its content does.
    """
    sha = put(stream)
    with transaction.atomic():
        record = _new_import(
            collection,
            kind=kind,
            sha=sha,
            filename=filename,
            created_by=created_by,
            options={**options, "publish": publish},
        )
        enqueue(CHECK, collection=collection, created_by=created_by, **_payload(record))
    return record


def upload_here(
    collection: Collection,
    *,
    kind: str,
    stream: BinaryIO,
    filename: str,
    created_by: User | None,
    watch: Watch,
    **options: str | Mapping[str, str],
) -> Import:
    """As `start_import`, but checked in this process."""
    sha = put(stream)
    with transaction.atomic():
        record = _new_import(
            collection, kind=kind, sha=sha, filename=filename, created_by=created_by, options={**options}
        )
        run = _begun(CHECK, record, created_by)
    return _worked(run, record, watch)


def recheck_import(
    record: Import, *, format_name: str, columns: Mapping[str, str], actor: User | None, **options: str
) -> Job:
    """Queue another check of the kept file, read in the format and with the columns chosen: until it is published.

    `options` are those of the kind that are answered anew. Raises `ValueError` where it is too late. What this check
    finds is shown and asked for, whatever was said at first.
    """
    with transaction.atomic():
        locked = _locked(record)
        job = job_of(locked)
        if locked.state not in (Import.State.CHECKED, Import.State.REFUSED) or (job and job.state in LIVE):
            raise ValueError(f"This import cannot be read anew: {locked.get_state_display().lower()}.")
        locked.options |= {**options, "format": format_name, "columns": dict(columns), "publish": False, "correct": 0}
        locked.state, locked.preview, locked.problems, locked.n_problems = Import.State.CHECKING, {}, [], 0
        locked.save(update_fields=["options", "state", "preview", "problems", "n_problems"])
        return enqueue(CHECK, collection=record.collection, created_by=actor, **_payload(record))


def asks_first(record: Import) -> int:
    """How many things that are here the file corrects though nobody has said that it is to; 0: it may be stored."""
    n_corrections = int(record.preview.get("facts", {}).get("corrects", 0))
    return 0 if record.options.get("correct") in ("all", n_corrections) else n_corrections


def publish_import(record: Import, *, actor: User | None, correct: int | None = None) -> Job:
    """Queue the storing of a checked import; a second click gets the first one's job. Otherwise `ValueError`.

    `correct`: how many things that are here the person has seen that it corrects, where it does.
    """
    with transaction.atomic():
        locked = _locked(record)
        job = job_of(locked, STORE)
        if job and job.state in LIVE:
            return job
        if locked.state != Import.State.CHECKED:
            raise ValueError(f"This import is not ready to be published: {locked.get_state_display().lower()}.")
        if (n_corrections := asks_first(locked)) and correct != n_corrections:
            raise ValueError(
                f"This file corrects {n_corrections} that are here already: say that it is to, at the import."
            )
        if n_corrections:
            locked.options["correct"] = n_corrections
            locked.save(update_fields=["options"])
        return enqueue(STORE, collection=record.collection, created_by=actor, **_payload(record))


def publish_here(record: Import, *, actor: User | None, watch: Watch) -> Import:
    """As `publish_import`, but stored in this process."""
    return _worked(_begun(STORE, record, actor), record, watch)


def cancel_import(record: Import, *, actor: User | None) -> None:
    """Stop an import that has not ended: one that has is left as it is. What runs ends at its next step and is swept.

    The job's row is locked before the import's, as in the job's own transactions; a job queued meanwhile is new.
    """
    with transaction.atomic():
        _stop_job(record)
        locked = _locked(record)
        job = _stop_job(locked)
        if locked.state in ENDED:
            return
        is_over = job is None or not job.is_live or (locked.state == Import.State.CHECKED and job.kind == CHECK)
        if locked.state in (Import.State.CHECKING, Import.State.CHECKED) and is_over:
            locked.state = Import.State.CANCELLED
            locked.save(update_fields=["state"])
        record_audit(
            "import cancelled", actor=actor, collection=locked.collection, subject=locked.filename, kind=locked.kind
        )


def discard_import(record: Import) -> None:
    """Forget an import that was only tried: no row of it is left."""
    with transaction.atomic():
        Job.objects.filter(collection=record.collection, kind=CHECK, payload__import=record.pk).delete()
        Import.objects.filter(pk=record.pk, published_at__isnull=True).delete()


def check_import(run: JobRun) -> None:
    """Job: read the whole file and write down what would be stored, or every fault."""
    record = _record(run)
    if record.state != Import.State.CHECKING:
        return  # an earlier attempt got this far
    problems, preview = _read(record, importer_for(record, run).check)
    with transaction.atomic():
        run.fence()
        _write_down(record, Import.State.REFUSED if problems else Import.State.CHECKED, preview, problems)
        if record.options.get("publish") and not problems and not asks_first(record):
            enqueue(STORE, collection=record.collection, created_by=record.created_by, **_payload(record))
        run.finish()


def store_import(run: JobRun) -> None:
    """Job: stage everything, then flip. Whatever an earlier attempt has left is cleared first."""
    record = _record(run)
    if record.state == Import.State.PUBLISHED:
        return
    take_turn(record, run)
    clear_rows(record, guard=run.fence)
    importer = importer_for(record, run)
    problems, preview = _read(record, importer.stage)
    if problems:
        clear_rows(record, guard=run.fence)
    _settle(record, importer, run, preview, problems)


def _settle(record: Import, importer: Importer, run: JobRun, preview: Preview, problems: Problems) -> None:
    """The flip: one transaction, after which everything of the import is visible; or the refusal."""
    with transaction.atomic():
        run.fence()
        if problems:
            _write_down(record, Import.State.REFUSED, preview, problems)
        else:
            importer.publish()
            record.published_at = timezone.now()
            _write_down(record, Import.State.PUBLISHED, preview, problems)
            _record_publishing(record, actor=run.job.created_by)
        run.finish()


def _record_publishing(record: Import, *, actor: User | None) -> None:
    n_aside = dict(record.preview["counts"]).get("Left aside", 0)
    record_audit(
        "import published",
        actor=actor,
        collection=record.collection,
        subject=record.filename,
        kind=record.kind,
        sha256=record.sha256,
        **({"left_aside": n_aside} if n_aside else {}),
    )


def _payload(record: Import) -> dict[str, object]:
    """Of a job for the import; that of a small file is short, and need not wait behind long ones."""
    size = stored_files().facts_of(record.sha256).size
    is_short = record.kind != Import.Kind.COLLECTION and size <= SMALL
    return {"import": record.pk, "about": record.filename, **({SHORT: True} if is_short else {})}


def _locked(record: Import) -> Import:
    """The import as it is now; rows that name it may still be written."""
    return Import.objects.select_for_update(no_key=True).get(pk=record.pk)


def _stop_job(record: Import) -> Job | None:
    """The last job of the import, asked to stop if it is not over."""
    job = job_of(record)
    if job and job.cancel_asked_at is None and ask_cancel(job):
        job.refresh_from_db()
    return job


def _new_import(
    collection: Collection, *, kind: str, sha: str, filename: str, created_by: User | None, options: Options
) -> Import:
    name = PurePath(filename).name[-255:]
    return Import.objects.create(
        collection=collection, kind=kind, sha256=sha, filename=name, created_by=created_by, options=options
    )


def _begun(kind: str, record: Import, actor: User | None) -> JobRun:
    return begin_here(kind, collection=record.collection, created_by=actor, **{"import": record.pk})


def _worked(run: JobRun, record: Import, watch: Watch) -> Import:
    job = do_here(run, watch=watch)
    if job.state != Job.State.DONE:
        raise JobRefusedError(job.error or f"The job ended as {job.state}.")
    record.refresh_from_db()
    return record


def _record(run: JobRun) -> Import:
    records = Import.objects.select_related("collection__scale", "created_by")
    return records.get(pk=run.job.payload["import"])


def _read(record: Import, reading: Callable[[BinaryIO, Problems], Preview]) -> tuple[Problems, Preview]:
    """Read the kept file; of one with a problem the preview says what was read of it, and no facts to go on with."""
    problems = Problems(record.filename, keep=KEPT_PROBLEMS)
    preview = preview_of()
    with path_of(record.sha256).open("rb") as stream:
        try:
            preview = reading(stream, problems)
        except FormatError as fault:
            if not problems:
                problems.add(fault.problems[0].line, fault.problems[0].reason)
        note_likely_kind(problems, stream, kind=record.kind)
    if problems:
        preview["facts"] = {}
    add_duplicates(preview, problems)
    add_aside(preview, problems)
    preview["notes"] = [str(note) for note in problems.notes]
    if "format" in record.preview:
        preview["format"] = record.preview["format"]
    return problems, preview


def _write_down(record: Import, state: Import.State, preview: Preview, problems: Problems) -> None:
    record.state, record.preview, record.n_problems = state, preview, problems.total
    record.problems = rows_of_problems(problems)
    record.save(update_fields=["state", "preview", "problems", "n_problems", "published_at"])
    person = record.created_by_id
    if person is not None and state == Import.State.PUBLISHED:
        settle(person, f"import {record.pk} {Import.State.CHECKED}")
    if person is not None and not (state == Import.State.CHECKED and record.options.get("publish")):
        cause, text = f"import {record.pk} {state}", f"{record.filename}: {_outcome_words(state, problems)}"
        tell("import", [person], cause=cause, text=text, collection=record.collection, pk=record.pk)


def _outcome_words(state: Import.State, problems: Problems) -> str:
    match state:
        case Import.State.REFUSED:
            return f"refused, {counted(problems.total, 'problem')}."
        case Import.State.CHECKED:
            return "checked, and waits to be published."
        case _:
            return "published."
