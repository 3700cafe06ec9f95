"""Which job the lines of a log belong to, as `touchstone.logs` adds it to them."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

job_id: ContextVar[str] = ContextVar("job_id", default="")


@contextmanager
def of_job(token: str) -> Iterator[None]:
    """Lines that are written inside belong to this job."""
    before = job_id.set(token)
    try:
        yield
    finally:
        job_id.reset(before)
