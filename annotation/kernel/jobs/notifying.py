"""Whoever asked for work is told how it ended, in the transaction of its end."""

from datetime import timedelta

from annotation.kernel import clock
from annotation.kernel.notices import tell
from annotation.models import Job

SOON = timedelta(seconds=30)  # who asked for work that is done sooner still looks at its page
OF_IMPORTS = ("check_import", "store_import")  # the import itself is told of
WORDS = {Job.State.DONE: "Done", Job.State.FAILED: "Failed"}


def tell_end(job: Job, state: Job.State) -> None:
    """Of what failed, and of what was done and took its time."""
    if job.created_by_id is None or state not in WORDS:
        return
    if state == Job.State.DONE and (job.kind in OF_IMPORTS or clock.now() - job.created_at < SOON):
        return
    about = f" ({job.about})" if job.about else ""
    text = f"{WORDS[state]}: {job.words}{about}."
    tell("job", [job.created_by_id], cause=f"job {job.token}", text=text, collection=job.collection, token=job.token)
