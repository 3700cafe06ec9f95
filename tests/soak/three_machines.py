"""People judge and researchers work on three machines with clocks of their own, one of which loses its disk."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO

from django.urls import reverse

from annotation.kernel.api_tokens import make_api_token
from annotation.models import Document, Job, Role, Snapshot
from tests.factories import make_member, make_user
from tests.live import sign_in
from tests.object_storage import storage_server
from tests.soak.judging import Figures, JudgingSoak, batch_with_gold, room_of
from tests.soak.machines import BUSY, CLOCKS, WORKERS, Front, Machine
from tests.soak.processes import PATIENCE, until
from tests.soak.served import Served
from touchstone.client import Client

FILES = 8  # of documents, more than there are workers, so that the machine that is lost has some at work
MILD = {"min_gold": 0, "accuracy_threshold": 0, "count_unproven": True, "min_judgments": 1}
PAGES = ("", "quality/", "quality/annotators", "quality/agreement", "batches/", "documents/", "imports/", "snapshots/")
DAMAGE_AT = 0.4  # the share of judgments at which a disk is lost


@dataclass
class MachinesSoak(JudgingSoak):
    """As of one machine, but `kills` is not looked at: one machine is lost with its disk, and comes back empty."""

    n_documents: int = 20_000

    def run(self) -> Figures:
        self.figures = Figures()
        self.batch = batch_with_gold(self.n_people, self.n_topics, self.n_pairs)
        self.collection, self.room = self.batch.collection, room_of(self.batch)
        self.lead = make_member(self.collection, make_user("lead"), Role.ADMIN)
        self.token = make_api_token(self.lead, name="soak")
        self.cookie = {"Cookie": f"touchstone_session={sign_in(self.lead)}"}
        n_before = Document.objects.filter(collection=self.collection).count()
        with storage_server(self.var / "storage.log") as bucket:
            self.machines = [
                Machine(self.var / f"machine-{n}", clock=clock, n_workers=n_workers, bucket=bucket)
                for n, (clock, n_workers) in enumerate(zip(CLOCKS, WORKERS, strict=True))
            ]
            try:
                self._work_on_all()
            finally:
                for machine in self.machines:
                    machine.stop()
        self._count()
        n_brought = Document.objects.filter(collection=self.collection).count() - n_before
        if n_brought != self.n_documents:
            self.figures.broken.append(f"{n_brought} documents are there, {self.n_documents} were brought")
        failed = Job.objects.exclude(state=Job.State.DONE).values_list("kind", "state", "error")
        self.figures.broken += [f"a job is not done: {each}" for each in failed]
        return self.figures

    def _work_on_all(self) -> None:
        for machine in self.machines:
            machine.start()
        self.front = Front(self.machines)
        with _beside(self._look_at_pages):
            self._judge_under_kills(self.front)  # type: ignore[arg-type]  # people use `request`
        self.figures.broken += self.front.errors
        self.say(f"answered: {dict(sorted(self.front.statuses.items()))}")
        self._compare_bytes()

    def _kill_at_moments(self, server: Served) -> None:
        """The disk of the first machine is lost while its workers check and store files."""
        lost, other = self.machines[0], self.machines[1]
        imports = self._api(other).collection(self.collection.slug).imports
        moment = int(self.batch.n_expected * DAMAGE_AT)
        until(lambda: self._n_judgments() >= moment, f"{moment} judgments")
        works = [imports.bring(file, filename=f"{n}.jsonl", kind="documents", publish=True, format="jsonl")
                 for n, file in enumerate(_files(self.n_documents))]  # fmt: skip
        until(lambda: any(worker.child() for worker in lost.workers), "a worker of the first machine has a job")
        lost.lose()
        self.figures.kills += 1
        self.say(f"a disk is lost at {self._n_judgments()} judgments; {_running()} jobs were running")
        self._look()
        time.sleep(2)
        lost.start()
        self.say("it is back, empty")
        for work in works:
            work.wait(timeout=PATIENCE)
        retried = Job.objects.filter(attempt__gt=1).count()
        self.say(f"{FILES} files are published; {retried} jobs were gone on with by another worker")

    def _look_at_pages(self) -> None:
        """As a researcher does, by whichever machine is next."""
        for page in PAGES:
            try:
                answer = self.front.request("GET", f"/c/{self.collection.slug}/{page}", headers=self.cookie)
            except OSError:
                continue  # a machine that is away
            if answer.status not in (200, BUSY):
                self.figures.broken.append(f"{page}: {answer.status}")

    def _compare_bytes(self) -> None:
        """Each machine freezes the same judgments, and hands out what all of them froze."""
        for n, machine in enumerate(self.machines):
            here = self._api(machine).collection(self.collection.slug)
            if not n:
                here.policies.make(name="mild", parameters=MILD)
            here.snapshots.freeze(name=f"by-{n}", policy="mild v1").wait(timeout=PATIENCE)
        snapshots = list(Snapshot.objects.filter(collection=self.collection).order_by("pk"))
        if len({each.qrels_sha256 for each in snapshots}) != 1:
            self.figures.broken.append("the same judgments were frozen to other bytes")
        files = [reverse(name, args=[self.collection.slug, each.pk]) for each in snapshots
                 for name in ("snapshot_qrels", "snapshot_pairs", "snapshot_dropped")]  # fmt: skip
        files.append(reverse("judgments_export", args=[self.collection.slug, "csv"]))
        for path in files:
            answers = [machine.request("GET", path, headers=self.cookie) for machine in self.machines]
            if {each.status for each in answers} != {200} or len({each.text for each in answers}) != 1:
                self.figures.broken.append(f"{path}: not the same from all machines")
        for machine in self.machines:
            here = self._api(machine).collection(self.collection.slug)
            if not all(here.snapshots.verify(each.pk)["sound"] for each in snapshots):
                self.figures.broken.append("a snapshot is not sound on every machine")
        self.say(f"{len(files)} files compared, {sum(len(each.text) for each in answers)} bytes in the last")

    def _api(self, machine: Machine) -> Client:
        return Client(machine.url, self.token)


def _files(n_documents: int) -> Iterator[BytesIO]:
    for first in range(FILES):
        lines = (
            f'{{"docno": "E-{n:07}", "text": "Document {n} of many."}}\n' for n in range(first, n_documents, FILES)
        )
        yield BytesIO("".join(lines).encode())


def _running() -> int:
    return Job.objects.filter(state=Job.State.RUNNING).count()


@contextmanager
def _beside(deed: Callable[[], None]) -> Iterator[None]:
    """Done over and over while the block lasts."""
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(0.2):
            deed()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
