"""One request after another: the token, the key that makes a second try safe, and when to try again."""

import re
import uuid
from collections.abc import Callable, Mapping
from time import sleep
from typing import Any, TypeVar
from urllib.parse import quote

import httpx

from touchstone.client.errors import ApiError, ClientError, UnreachableError, error_of
from touchstone.client.uploads import Upload

T = TypeVar("T")

AGAIN = frozenset({429, 503})  # the server has done nothing, and may soon
LONGEST_PAUSE = 60.0  # seconds, whatever the server asks for
FIRST_PAUSE = 0.5  # seconds after the first try; twice as long after each further one


class Wire:
    """A connection to one server as one person.

    A request that got no whole answer, a 429 or a 503 is sent again, `tries` times in all: a POST under the same
    `Idempotency-Key`, so that its deed is done once; a DELETE only where it never reached the server.
    """

    def __init__(
        self, url: str, token: str, *, timeout: float, tries: int, transport: httpx.BaseTransport | None
    ) -> None:
        if not re.fullmatch("[!-~]+", token):
            raise ValueError("This is no token: it is empty, or has a blank, a line end or a character beyond ASCII.")
        headers = {"Authorization": f"Bearer {token}"}
        base = f"{url.rstrip('/')}/api/v1/"
        self._client = httpx.Client(base_url=base, headers=headers, timeout=timeout, transport=transport)
        self._tries = tries

    def close(self) -> None:
        self._client.close()

    def send(
        self,
        method: str,
        path: str,
        take: Callable[[httpx.Response], T],
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        upload: Upload | None = None,
    ) -> T:
        """What `take` makes of a good answer, whose body it reads; another answer is raised as the error it is."""
        headers = {"Idempotency-Key": str(uuid.uuid4())} if method == "POST" else {}
        content: dict[str, Any] = {"params": query, "headers": headers}
        if upload is not None:
            content |= {"data": upload.data, "files": upload.files}
        elif body is not None:
            content |= {"json": body}
        for n in range(1, self._tries):
            try:
                return self._once(method, path, content, take)
            except (ApiError, UnreachableError) as error:
                if not _may_come_again(method, error):
                    raise
                asked = error.retry_after if isinstance(error, ApiError) else None
                sleep(min(FIRST_PAUSE * 2 ** (n - 1) if asked is None else asked, LONGEST_PAUSE))
        return self._once(method, path, content, take)

    def _once(self, method: str, path: str, content: Mapping[str, Any], take: Callable[[httpx.Response], T]) -> T:
        try:
            with self._client.stream(method, path, **content) as response:
                if response.is_success:
                    return take(response)
                response.read()
                raise error_of(response)
        except httpx.TransportError as error:
            raise UnreachableError(f"{self._client.base_url} gives no answer: {error}") from error


def address(*parts: object) -> str:
    """The parts of an address, whatever stands in them: a docno may have a slash."""
    return "/".join(quote(str(part), safe="") for part in parts)


def answer_of(response: httpx.Response) -> Any:
    """The JSON of an answer; None where it has no body."""
    if not response.read():
        return None
    try:
        return response.json()
    except ValueError:
        raise ClientError(f"{response.url} answers {response.status_code} with something other than JSON") from None


def _may_come_again(method: str, error: ApiError | UnreachableError) -> bool:
    if isinstance(error, ApiError):
        return error.status in AGAIN
    cause = error.__cause__
    if isinstance(cause, httpx.UnsupportedProtocol | httpx.LocalProtocolError):  # ours, and the same the next time
        return False
    return method != "DELETE" or isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout)
