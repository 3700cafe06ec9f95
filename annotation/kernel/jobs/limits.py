"""What a job may use where it is done in a process of its own."""

from dataclasses import dataclass

from django.conf import settings

from annotation.models import Import, Job


@dataclass(frozen=True)
class Limits:
    """`memory` in megabytes of the process, `seconds` of wall time."""

    memory: int
    seconds: int

    @property
    def memory_words(self) -> str:
        return f"It needed more than {self.memory} MB of memory, which is all that this kind of work may use."

    @property
    def time_words(self) -> str:
        time = f"{self.seconds // 60} minutes" if self.seconds >= 120 else f"{self.seconds} s"
        return f"It took longer than {time}, which is all that this kind of work may take."


def limits_of(job: Job) -> Limits | None:
    """The limits that `settings.TOUCHSTONE_APART` gives the job's kind; None: the worker does it itself.

    An import may have limits of its own kind, under `kind of job:kind of import`.
    """
    apart: dict[str, tuple[int, int]] = settings.TOUCHSTONE_APART
    if job.kind not in apart:
        return None
    import_kind = Import.objects.filter(pk=job.payload.get("import")).values_list("kind", flat=True).first()
    return Limits(*apart.get(f"{job.kind}:{import_kind}", apart[job.kind]))
