"""A run that a job has made, as a run of the collection."""

from typing import TYPE_CHECKING, Any

from django.db import transaction

from annotation.kernel.jobs import JobRefusedError, JobRun
from annotation.kernel.store import put
from annotation.kernel.taken import TakenError, unless_taken
from evaluation.models import Run

if TYPE_CHECKING:
    from evaluation.engine.run import RunTable


def store_made_run(attempt: JobRun, table: "RunTable", *, description: str, origin: dict[str, Any]) -> None:
    """Under the tag of the table; `origin` is what it says itself of what it came from.

    An attempt that was cut off after this one's commit finds its own run. Raises `JobRefusedError` where another has
    taken the tag meanwhile.
    """
    from evaluation.engine.run import load_run, pack_run

    data = pack_run(table)
    packed, sha256, collection = load_run(data), put(data), attempt.job.collection
    assert collection is not None
    try:
        with transaction.atomic():
            attempt.fence()
            of_tag = Run.objects.filter(collection=collection, tag=packed.tag)
            if of_tag.filter(sha256=sha256).exists():
                return
            with unless_taken(of_tag):
                Run.objects.create(
                    collection=collection,
                    tag=packed.tag,
                    description=description,
                    origin=origin,
                    sha256=sha256,
                    n_topics=packed.n_topics,
                    n_rows=packed.n_rows,
                    n_tied=packed.n_tied,
                    created_by=attempt.job.created_by,
                )
    except TakenError as error:
        raise JobRefusedError(f"Meanwhile another run has come with the tag {packed.tag}.") from error
