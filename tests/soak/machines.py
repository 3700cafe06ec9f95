"""Three machines of one installation, which share a PostgreSQL and object storage: each has a disk, a clock, web
processes and workers of its own, and dies alone."""

import itertools
import os
import shutil
import signal
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from annotation.kernel.store.objects import Bucket
from tests.live import Answer
from tests.soak.processes import Worker, children
from tests.soak.served import Served

WEB_PROCESSES = 2
CLOCKS = (90, -90, 0)  # seconds by which the machines are ahead of the database
WORKERS = (2, 1, 1)
LEASE = "5"  # seconds; a job of a lost machine is taken over by then
BUSY = 503


class Machine(Served):
    """`serve --without-worker` and workers, on a disk that can be lost."""

    def __init__(self, var: Path, *, clock: int, n_workers: int, bucket: Bucket) -> None:
        super().__init__(var, WEB_PROCESSES, "--without-worker")
        self.n_workers, self.workers = n_workers, list[Worker]()
        self.own = {
            "DJANGO_SETTINGS_MODULE": "tests.soak.wrong_clock",
            "TOUCHSTONE_SOAK_CLOCK": str(clock),
            "TOUCHSTONE_FILES": str(var / "files"),
            "TOUCHSTONE_LEASE": LEASE,
            "TOUCHSTONE_S3_BUCKET": bucket.name,
            "TOUCHSTONE_S3_ENDPOINT": bucket.endpoint,
            "TOUCHSTONE_S3_REGION": bucket.region,
            "TOUCHSTONE_S3_KEY_ID": bucket.key_id,
            "TOUCHSTONE_S3_SECRET": bucket.secret,
        }

    def start(self) -> None:
        super().start()
        own = {**self.own, "TOUCHSTONE_VAR": str(self.var)}
        self.workers = [Worker(self.var / f"worker-{n}", **own) for n in range(self.n_workers)]

    def stop(self) -> None:
        for worker in self.workers:
            worker.stop()
        super().stop()

    def lose(self) -> None:
        """Everything that runs here is killed, and nothing is left on the disk."""
        for root in (self.pid, *(worker.process.pid for worker in self.workers)):
            for pid in _tree(root):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for worker in self.workers:
            worker.process.wait()
        self.kill()
        shutil.rmtree(self.var)
        self.var.mkdir()

    def _environment(self) -> dict[str, str]:
        return {**super()._environment(), **self.own}


class Front:
    """What stands before the machines: each request goes to the next of them. Who asks one that is away asks again."""

    def __init__(self, machines: Sequence[Served]) -> None:
        self._turns = itertools.cycle(machines)
        self.statuses: Counter[int] = Counter()
        self.errors: list[str] = []

    def request(self, method: str, path: str, *, body: str = "", headers: Mapping[str, str] | None = None) -> Answer:
        answer = next(self._turns).request(method, path, body=body, headers=dict(headers or {}))
        self.statuses[answer.status] += 1
        if answer.status >= 500 and answer.status != BUSY:
            self.errors.append(f"{method} {path}: {answer.status}")
        return answer


def _tree(root: int) -> list[int]:
    return [root, *(below for child in children(root) for below in _tree(child))]
