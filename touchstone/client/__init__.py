"""The API for Python programs: each deed of it is a method here. `pip install '.[client]'`; no Django.

`from touchstone.client import Client`; docs/api.md shows the deeds in their order. What the API
answers comes as it is sent: a dict whose keys `touchstone.client.schema` and `/api/docs` list. A
list is an iterator that fetches page after page, long work something to `wait` for. What a method
sends is named as in the API; what is left out is not sent.
"""

from importlib.util import find_spec

if not find_spec("httpx"):
    raise ModuleNotFoundError(
        "touchstone.client needs httpx: pip install '.[client]' in Touchstone's folder", name="httpx"
    )

from touchstone.client.collection import Collection
from touchstone.client.errors import (
    ApiError,
    ClientError,
    JobError,
    JobTimeoutError,
    RefusedFileError,
    UnreachableError,
)
from touchstone.client.jobs import ArrivalWork, ImportWork, Job
from touchstone.client.judging import OwnDesk
from touchstone.client.server import Client

__all__ = [
    "ApiError",
    "ArrivalWork",
    "Client",
    "ClientError",
    "Collection",
    "ImportWork",
    "Job",
    "JobError",
    "JobTimeoutError",
    "OwnDesk",
    "RefusedFileError",
    "UnreachableError",
]
