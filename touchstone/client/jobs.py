"""Long work on the server: how far it is, and how it ended."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from time import monotonic, sleep
from typing import Any, ClassVar, Generic, TypeVar, cast

from touchstone.client.errors import JobError, JobTimeoutError, RefusedFileError
from touchstone.client.parts import Part
from touchstone.client.schema.exchange import Arrival, Import
from touchstone.client.schema.home import Job as JobAnswer
from touchstone.client.wire import Wire, address

StateT = TypeVar("StateT", bound=Mapping[str, Any])

FIRST_PAUSE = 0.1  # seconds between the first two questions; half as long again each time, up to `every`


class LongWork(Part, ABC, Generic[StateT]):
    """Work that the server has taken on: `read` how it stands, or `wait` for its end."""

    UNDER_WAY: ClassVar[frozenset[str]]

    @abstractmethod
    def read(self) -> StateT: ...

    def wait(
        self,
        *,
        timeout: float | None = None,
        progress: Callable[[StateT], object] | None = None,
        every: float = 2.0,
    ) -> StateT:
        """How it ended; JobError where that is not well, JobTimeoutError where `timeout` seconds were not enough.

        `progress` is called with each answer that was read, `every` so many seconds at the latest.
        """
        end = None if timeout is None else monotonic() + timeout
        pause = min(FIRST_PAUSE, every)
        while True:
            answer = self.read()
            if progress:
                progress(answer)
            if answer["state"] not in self.UNDER_WAY:
                return self._ended(answer)
            if end is not None and monotonic() >= end:
                raise JobTimeoutError(f"The work is still {answer['state']} after {timeout:g} seconds.", answer)
            sleep(pause if end is None else min(pause, max(0.0, end - monotonic())))
            pause = min(pause * 1.5, every)

    @abstractmethod
    def _ended(self, answer: StateT) -> StateT: ...


class Job(LongWork[JobAnswer]):
    """A job of the server. `token` names it; with `Client.job(token)` another program goes on waiting."""

    UNDER_WAY = frozenset({"queued", "running"})

    def __init__(self, wire: Wire, token: str) -> None:
        super().__init__(wire, address("jobs", token))
        self.token = token

    def read(self) -> JobAnswer:
        """How far it is: `done` of `total`, `message`, `log`."""
        return self._get(JobAnswer)

    def cancel(self) -> JobAnswer:
        """Stop it: at once where it waits, else at its next step."""
        return self._post(JobAnswer, "cancel")

    def _ended(self, answer: JobAnswer) -> JobAnswer:
        if answer["state"] != "done":
            raise JobError(f"The work is {answer['state']}: {answer['error'] or answer['message']}", answer)
        return answer


class FileWork(LongWork[StateT]):
    """A file on its way in: `wait` for what would be stored (`checked`), or what is (`published`).

    RefusedFileError where the file has a problem. The file is asked for and not its jobs: checking and storing are two.
    """

    UNDER_WAY = frozenset({"checking", "storing"})

    def _ended(self, answer: StateT) -> StateT:
        if answer["state"] == "published" or (answer["state"] == "checked" and not answer.get("error")):
            return answer
        if answer["state"] != "refused":
            message = f"{answer['filename']}: it is {answer['state']}. {answer.get('error', '')}".rstrip()
            raise JobError(message, answer)
        first = next(iter(answer["problems"]), {"file": answer["filename"], "line": 0, "reason": "unknown"})
        more = f" (and {answer['n_problems'] - 1} more)" if answer["n_problems"] > 1 else ""
        where = f"{first['file']}:{first['line']}" if first["line"] else first["file"]  # 0: the file as a whole
        raise RefusedFileError(f"{where}: {first['reason']}{more}", answer)


class ImportWork(FileWork[Import]):
    """An import; `id` names it."""

    def __init__(self, wire: Wire, path: str, number: int) -> None:
        super().__init__(wire, path)
        self.id = number

    def read(self) -> Import:
        return self._get(Import)


class ArrivalWork(FileWork[Arrival]):
    """A whole collection on its way in; `token` names it."""

    def __init__(self, wire: Wire, path: str, token: str) -> None:
        super().__init__(wire, path)
        self.token = token

    def read(self) -> Arrival:
        return self._get(Arrival)


def job_of(wire: Wire, answer: Mapping[str, Any]) -> Job:
    return Job(wire, last_part(cast("str", answer["job_url"])))


def last_part(url: str) -> str:
    """What an address that was answered ends with: behind a proxy its beginning may not be the one we call."""
    return url.rstrip("/").rpartition("/")[2]
