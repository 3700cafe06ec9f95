"""Messages that tests write, and the work of their jobs."""

from typing import Any

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Collection, Delivery
from annotation.outgoing.steps.delivering import sweep_deliveries
from annotation.outgoing.steps.messages import write_messages


def work() -> int:
    """How many jobs were done."""
    sweep_deliveries()
    n = 0
    while job := claim_job():
        run_job(job)
        n += 1
    return n


def tell(collection: Collection, cause: str = "one", **facts: Any) -> list[Delivery]:
    return write_messages(collection, event="test", cause=cause, subject="An alert", facts=facts)
