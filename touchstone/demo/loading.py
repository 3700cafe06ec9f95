"""The demo collection for somebody who asks for it, as a job."""

from django.db import transaction

from annotation.kernel.jobs import JobRefusedError, JobRun
from annotation.models import Collection
from touchstone.demo.building import SLUG, build_demo
from touchstone.demo.people import first_free


def load_in_job(run: JobRun) -> dict[str, object]:
    """It belongs to who asked, under the first free short name. What it queues besides (evaluations, reports), workers
    take up once it is there: all of it is one transaction, in which the job is done, too."""
    owner = run.job.created_by
    if owner is None:
        raise JobRefusedError("Nobody is there to whom the collection would belong.")
    run.report(done=0, total=1, message="Making the demo collection: about a quarter of a minute")
    with transaction.atomic():
        run.fence()
        collection = build_demo(owner, slug=_free_slug())
        result: dict[str, object] = {"collection": collection.slug}
        run.finish(result)
    return result


def _free_slug() -> str:
    return first_free(SLUG, set(Collection.objects.filter(slug__startswith=SLUG).values_list("slug", flat=True)))
