"""People judge over HTTP, and the power is cut: the database opens, and what was acknowledged is there.

One run is recorded, and every cut is made from the record (tests/soak/disk.py says how): half of them the moment a
grade was acknowledged, half anywhere. Upon the last one the app starts, and people judge what is left.
"""

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.db import connection

from annotation.models import Annotator, Judgment
from tests.journeys.clients import Client
from tests.journeys.invariants import broken_invariants
from tests.live import Answer, Server
from tests.postgres import Account, Cluster
from tests.soak.disk import Disk, Recording
from tests.soak.judging import Figures, at_the_end, batch_with_gold, room_of
from tests.soak.served import Served

WEB_PROCESSES = 2
SHARES = (0.0, 0.5, 1.0)  # of the sectors not fsynced that a cut leaves
PAGE = 8192  # bytes, of PostgreSQL
NOT_RECORDED = ("pg_internal.init", "pgstat", "postmaster", "current_logfiles")  # through stdio, or of one start alone


def deployed(var: Path) -> Server:
    return Served(var, WEB_PROCESSES)


class NotingClient(Client):
    """`positions`: form token → how far the record was when its grade had been acknowledged."""

    recording: Recording
    positions: dict[str, int]

    def _grade(self, shown: Answer) -> Answer:
        answer = super()._grade(shown)
        position = self.recording.position
        for token in self.acknowledged.keys() - self.positions.keys():
            self.positions[token] = position
        return answer


class SqliteFiles:
    """The database's file with its log, written by web processes and workers."""

    def __init__(self, recording: Recording) -> None:
        self.file = Path(connection.settings_dict["NAME"]).resolve()
        self.of_web_processes = recording.environment(self.file)
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        self.disk = Disk([self.file], recording)

    def end(self) -> None:
        """Nothing: the web processes have ended."""

    def differing(self) -> list[str]:
        """Files that are not what the whole record makes of them."""
        return [str(self.file)] if self.disk.whole()[str(self.file)] != self.file.read_bytes() else []

    @contextmanager
    def after_cut(self, rng: random.Random, share: float) -> Iterator[list[str]]:
        """Django uses what a cut leaves here; gives what is wrong with it in the eyes of the database."""
        with temporary_folder() as folder:
            for path, content in self.disk.after_cut(rng, share).items():
                (folder / Path(path).name).write_bytes(content)
            with another(NAME=str(folder / self.file.name)):
                with connection.cursor() as cursor:
                    cursor.execute("PRAGMA integrity_check")
                    faults = [f"integrity_check: {line}" for (line,) in cursor.fetchall() if line != "ok"]
                yield faults


class PostgresFiles:
    """The folder of a server of ours, written by its processes."""

    def __init__(self, recording: Recording, cluster: Cluster) -> None:
        self.of_web_processes = dict[str, str]()
        self.cluster, self.command = cluster, cluster.command
        connection.close()
        self.cluster.stop()
        paths = list(self.cluster.data.rglob("*"))
        self.folders = [path.relative_to(self.cluster.data) for path in paths if path.is_dir()]
        self.disk = Disk(paths, recording)
        self.server = self.cluster.start(self.command, **recording.environment(self.cluster.data))

    def end(self) -> None:
        connection.close()
        self.cluster.stop()

    def differing(self) -> list[str]:
        whole = {path: content for path, content in self.disk.whole().items() if not _is_left_out(path)}
        paths = [path for path in self.cluster.data.rglob("*") if path.is_file() and not _is_left_out(str(path))]
        there = {str(path.resolve()): path.read_bytes() for path in paths}
        return [path for path in whole.keys() | there.keys() if whole.get(path) != there.get(path)]

    @contextmanager
    def after_cut(self, rng: random.Random, share: float) -> Iterator[list[str]]:
        """Django uses what is left, once it has recovered; then every page is read."""
        binary, *options = self.command
        with temporary_folder() as folder:
            cluster = Cluster(folder)
            self._put(cluster.data, self.disk.after_cut(rng, share))
            options = [each.replace(str(self.cluster.folder), str(folder)) for each in options]
            server = cluster.start([binary, *options, "-c", "fsync=off"])
            try:
                with another(HOST=str(folder)):
                    yield []
            finally:
                cluster.stop()
                server.wait()
            self._check_sums(cluster, binary)

    def _put(self, data: Path, files: dict[str, bytearray]) -> None:
        for each in self.folders:
            (data / each).mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            if Path(path).name != "postmaster.pid":  # of a server that had another boot
                (data / Path(path).relative_to(self.cluster.data.resolve())).write_bytes(content)
        data.chmod(0o700)
        for each in (data.parent, *data.parent.rglob("*")):
            Account.unprivileged().give(each)

    def _check_sums(self, cluster: Cluster, binary: str) -> None:
        """Of every page of every file; what is wrong is an error at once. A file that was growing may end within a
        page, which PostgreSQL does not count (mdnblocks) and pg_checksums trips over."""
        for path in cluster.data.glob("base/*/*"):
            if path.is_file() and path.name[0].isdigit():
                os.truncate(path, path.stat().st_size // PAGE * PAGE)
        command = [str(Path(binary).with_name("pg_checksums")), "--check", "-D", str(cluster.data)]
        checked = Account.unprivileged().run(command, cwd=cluster.folder)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def files_of_database(recording: Recording) -> SqliteFiles | PostgresFiles:
    """The recording of Django's database begins."""
    if connection.vendor == "sqlite":
        return SqliteFiles(recording)
    return PostgresFiles(recording, Cluster(Path(connection.settings_dict["HOST"])))


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """That everybody may enter: PostgreSQL may be somebody else."""
    with tempfile.TemporaryDirectory(prefix="touchstone-cut-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def environment(more: dict[str, str]) -> Iterator[None]:
    """Of the processes that are started meanwhile."""
    os.environ.update(more)
    try:
        yield
    finally:
        for name in more:
            del os.environ[name]


@contextmanager
def another(**database: str) -> Iterator[None]:
    """Django's connection goes to another database for a while."""
    before = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(database)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update({name: before[name] for name in database})


def _is_left_out(path: str) -> bool:
    return Path(path).name.startswith(NOT_RECORDED)


@dataclass
class CutsFigures(Figures):
    cuts: int = 0
    unsynced: list[int] = field(default_factory=list)
    """Bytes that were written and not fsynced, at each cut."""
    after: int = 0
    """Judgments made upon the last cut."""


@dataclass
class CutsSoak:
    """`n_people` judge a batch of so many pairs a topic, recorded; `cuts` moments of it follow from `seed`."""

    var: Path
    n_people: int
    n_topics: int
    n_pairs: int
    cuts: int
    seed: int
    say: Callable[[str], None]
    served: Callable[[Path], Server] = deployed
    goes_on: bool = True

    def run(self) -> CutsFigures:
        self.rng, self.figures = random.Random(self.seed), CutsFigures()
        self.batch = batch_with_gold(self.n_people, self.n_topics, self.n_pairs)
        self.room = room_of(self.batch)
        self.server = self.served(self.var)
        with Recording() as self.recording:
            self._run_recorded()
        return self.figures

    def _run_recorded(self) -> None:
        self.clients = [NotingClient(self.server, self.batch, person, self.seed) for person in self._people()]
        for client in self.clients:
            client.recording, client.positions = self.recording, {}
        files = files_of_database(self.recording)
        began = time.monotonic()
        self._judge(self.clients, files.of_web_processes)
        self.figures.seconds = time.monotonic() - began
        self._count()
        files.end()
        self._cut(files)

    def _people(self) -> list[Annotator]:
        return list(Annotator.objects.filter(participations__batch=self.batch).order_by("pk"))

    def _judge(self, clients: Sequence[Client], of_web_processes: dict[str, str]) -> None:
        try:
            with environment(of_web_processes):
                self.server.start()
            with ThreadPoolExecutor(len(clients)) as threads:
                judging = [threads.submit(client.judge_to_the_end) for client in clients]
                try:
                    for each in judging:
                        each.result()
                except BaseException:  # told to end, too
                    for client in clients:
                        client.stopped = True
                    raise
        finally:
            self.server.stop()

    def _count(self) -> None:
        for client in self.clients:
            self.figures.judgments += len(client.acknowledged)
            self.figures.unanswered += client.unanswered
            self.figures.busy += client.busy
            self.figures.broken += client.faults

    def _cut(self, files: SqliteFiles | PostgresFiles) -> None:
        positions = self._positions()
        for position in positions:
            files.disk.go_to(position)
            self.figures.cuts += 1
            self.figures.unsynced.append(files.disk.n_unsynced)
            share = self.rng.choice(SHARES)
            self.say(f"cut {self.figures.cuts}: {files.disk.n_unsynced} bytes not fsynced, {share:.0%} of them kept")
            self._look_after_cut(files, position, share)
        files.disk.go_to(self.recording.position)
        self.figures.broken += [f"{path} is not what the record makes of it" for path in files.differing()]

    def _positions(self) -> list[int]:
        """Of the cuts in the record: the moments of acknowledgements and any others, in turn."""
        acknowledged = [each for client in self.clients for each in client.positions.values()]
        end = self.recording.position
        return sorted(self.rng.randrange(end) if n % 2 else self.rng.choice(acknowledged) for n in range(self.cuts))

    def _look_after_cut(self, files: SqliteFiles | PostgresFiles, position: int, share: float) -> None:
        acknowledged = {
            token: client.acknowledged[token]
            for client in self.clients
            for token, at in client.positions.items()
            if at <= position
        }
        with files.after_cut(self.rng, share) as faults:
            self.figures.looks += 1
            broken = [*faults, *broken_invariants(self.batch, acknowledged)]
            if self.goes_on and self.figures.cuts == self.cuts:
                broken += self._go_on(acknowledged)
        self.figures.broken += [f"cut {self.figures.cuts}: {line}" for line in broken]

    def _go_on(self, acknowledged: dict[str, int]) -> list[str]:
        """Upon what a cut has left, people judge to the end."""
        stored = dict(Judgment.objects.filter(batch=self.batch).values_list("token", "grade"))
        clients = [Client(self.server, self.batch, person, self.seed + 1) for person in self._people()]
        self._judge(clients, {})
        after = {token: grade for client in clients for token, grade in client.acknowledged.items()}
        self.figures.after = len(after)
        return [
            *(line for client in clients for line in client.faults),
            *broken_invariants(self.batch, acknowledged | after),
            *at_the_end(self.batch, self.room, stored | after),
        ]
