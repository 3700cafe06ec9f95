"""Researchers at work, a process of benchmarks/beside_researchers.py: `researchers.py PORT ADMIN DOCUMENTS`, with what
`judged_campaign.py admin` printed and how many documents a file has. They end with the standard input; printed are then
as JSON what they got done, the seconds of each page, and errors.
"""

import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scale import PAGES

from touchstone.client import Client, Collection

AT_ONCE = 8  # pages of quality
PATIENCE = 1200.0  # seconds


class Researchers:
    def __init__(self, port: str, admin: dict[str, str], documents: int) -> None:
        self.address, self.admin, self.documents = f"http://127.0.0.1:{port}", admin, documents
        self.ended = threading.Event()
        self.done: Counter[str] = Counter()
        self.seconds: list[float] = []
        self.errors: list[str] = []
        self.began = time.time()

    def work(self) -> None:
        deeds = [self._freeze, self._bring, *([self._look] * AT_ONCE)]
        threads = [threading.Thread(target=self._repeat, args=(deed, n)) for n, deed in enumerate(deeds)]
        for thread in threads:
            thread.start()
        sys.stdin.read()
        self.ended.set()
        for thread in threads:
            thread.join()

    def _repeat(self, deed: Callable[[int], None], n: int) -> None:
        while not self.ended.is_set():
            try:
                deed(n)
            except Exception as fault:  # noqa: BLE001 -- it is told, and the others go on
                self.errors.append(f"{deed.__name__}: {fault!r}")
                return
            n += 1

    def _look(self, n: int) -> None:
        page = PAGES[n % len(PAGES)].format(token=self.admin["batch"], person=self.admin["person"])
        address = f"{self.address}/c/{self.admin['slug']}/{page}"
        began = time.perf_counter()
        answer = httpx.get(address, cookies={"touchstone_session": self.admin["session"]}, timeout=PATIENCE)
        answer.raise_for_status()
        self.seconds.append(time.perf_counter() - began)

    def _freeze(self, n: int) -> None:
        name = f"frozen-{self.began}-{n}"
        work = self._api().snapshots.freeze(name=name, batches=[self.admin["batch"]], policy="mild v1")
        work.wait(timeout=PATIENCE)
        self.done["frozen"] += 1

    def _bring(self, n: int) -> None:
        docnos = (f"late-{self.began}-{n}-{each}" for each in range(self.documents))
        lines = (json.dumps({"docno": docno, "title": "A document", "text": "word " * 60}) for docno in docnos)
        with tempfile.NamedTemporaryFile("w+", suffix=".jsonl") as file:
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            work = self._api().imports.bring(file.name, kind="documents", format="jsonl", publish=True)
        work.wait(timeout=PATIENCE)
        self.done["files imported"] += 1

    def _api(self) -> Collection:
        return Client(self.address, self.admin["token"], timeout=PATIENCE).collection(self.admin["slug"])


if __name__ == "__main__":
    researchers = Researchers(sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3]))
    researchers.work()
    done = dict(researchers.done)
    print(json.dumps({"done": done, "seconds": researchers.seconds, "errors": researchers.errors}))
