"""The list of jobs."""

from collections.abc import Callable, Sequence
from collections.abc import Collection as Several
from dataclasses import dataclass

from annotation.home.read.jobs import imports_worked_on, kinds_of_jobs
from annotation.kernel.list_columns import moments, numbers, people, texts
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.tables import Cell, Kind, Shown
from annotation.models import Collection, Import, Job


@dataclass(frozen=True)
class Row:
    """A job in the list, with the import it works on, if any."""

    job: Job
    record: Import | None
    may_stop: bool

    @property
    def seconds(self) -> int | None:
        """How long its last attempt took, once that has ended."""
        if self.job.started_at is None or self.job.finished_at is None:
            return None
        return round((self.job.finished_at - self.job.started_at).total_seconds())


def job_list(collection: Collection, *, importable: Several[str]) -> Listing[Row]:
    """Of `jobs_of`. `importable`: kinds of files whose imports the person may stop, as `may_stop` has it."""

    def to_rows(jobs: Sequence[Job]) -> list[Row]:
        records = imports_worked_on(collection, jobs)
        return [
            Row(job, record, job.is_live and (record is None or record.kind in importable))
            for job in jobs
            for record in [records.get(job.pk)]
        ]

    kinds = [(kind, Job(kind=kind).words) for kind in kinds_of_jobs(collection)]
    return Listing(
        "Jobs",
        (
            _drawn("Job", "job", lambda row: row.job.words, by="kind"),
            texts("File", "file", lambda row: row.record.filename if row.record else "", is_folded=True, is_long=True),
            _drawn("State", "state", lambda row: row.job.state, by="state"),
            _drawn("Progress", "progress", lambda row: row.job.error or row.job.message),
            numbers("Attempts", "attempts", lambda row: row.job.attempt, by="attempt"),
            moments("Asked for", "asked", lambda row: row.job.created_at, by="created_at"),
            people("By", "by", lambda row: row.job.created_by, by="created_by", nobody="a command"),
            Listed("seconds", lambda row: row.seconds, Kind.WHOLE, shown=Shown("Took", _took), look="num fit"),
        ),
        filters=(
            Only("state", "State", "state", Job.State.choices),
            Only("kind", "Job", "kind", kinds),
        ),
        to_rows=to_rows,
    )


def _drawn(head: str, name: str, get: Callable[[Row], str], *, by: str = "") -> Listed[Row]:
    shown = Shown[Row](head, is_numeric=False, is_narrow=name == "state")
    return Listed(name, get, by=by, shown=shown, part=f"annotation/home/jobs_{name}.html")


def _took(row: Row) -> Cell:
    if row.seconds is None:
        return Cell("–")
    minutes, seconds = divmod(row.seconds, 60)
    return Cell(f"{minutes} min {seconds} s" if minutes else f"{seconds} s")
