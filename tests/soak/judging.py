"""People judge over HTTP while web processes are killed and PostgreSQL is stopped at once, at random moments: what was
acknowledged is there, once."""

import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from annotation.batches.steps.batches import open_batch
from annotation.batches.steps.layout import lay_out
from annotation.judging.steps.stock import FIRST_N
from annotation.models import Annotator, Batch, Judgment, Slot
from tests.annotation.campaign import make_campaign
from tests.journeys.clients import Client
from tests.journeys.invariants import broken_invariants
from tests.postgres import Cluster
from tests.soak.processes import until
from tests.soak.served import Served

WEB_PROCESSES = 4
JUDGMENTS = 5  # that an item wants
GOLD = 6  # pairs of each topic
EARLIEST, LATEST = 0.03, 0.95  # the share of judgments between which the moments of kills are drawn
WAIT = 0.3  # seconds at the most from that share to the kill


@dataclass
class Figures:
    """What was seen. `broken` is empty when all went well. `away`: seconds without PostgreSQL, all stops together."""

    judgments: int = 0
    seconds: float = 0.0
    kills: int = 0
    stops: int = 0
    away: float = 0.0
    looks: int = 0
    unanswered: int = 0
    busy: int = 0
    replayed: int = 0
    broken: list[str] = field(default_factory=list)


@dataclass
class JudgingSoak:
    """`n_people` judge all they may of a batch with so many pairs a topic; the moments of kills follow from `seed`.

    `stops`: how often PostgreSQL is stopped with SIGQUIT, an immediate shutdown, and started again on what it left.
    """

    var: Path
    n_people: int
    n_topics: int
    n_pairs: int
    kills: int
    seed: int
    say: Callable[[str], None]
    stops: int = 0

    def run(self) -> Figures:
        self.rng, self.figures = random.Random(self.seed), Figures()
        self.batch = batch_with_gold(self.n_people, self.n_topics, self.n_pairs)
        self.room = room_of(self.batch)
        server = Served(self.var, WEB_PROCESSES)
        try:
            server.start()
            self._judge_under_kills(server)
        finally:
            server.stop()
        self._count()
        return self.figures

    def _judge_under_kills(self, server: Served) -> None:
        people = Annotator.objects.filter(participations__batch=self.batch).order_by("pk")
        self.clients = [Client(server, self.batch, person, self.seed + place) for place, person in enumerate(people)]
        began = time.monotonic()
        with ThreadPoolExecutor(len(self.clients)) as threads:
            judging = [threads.submit(client.judge_to_the_end) for client in self.clients]
            try:
                self._kill_at_moments(server)
                for each in judging:
                    each.result()
            except BaseException:  # told to end, too
                self._stop_people()
                raise
        self.figures.seconds = time.monotonic() - began

    def _stop_people(self) -> None:
        for client in self.clients:
            client.stopped = True

    def _kill_at_moments(self, server: Served) -> None:
        kills = [(moment, self._kill) for moment in self._moments(self.kills)]
        stops = [(moment, self._stop_database) for moment in self._moments(self.stops)]
        for moment, end in sorted([*kills, *stops], key=itemgetter(0)):
            self._wait_for(moment)
            time.sleep(self.rng.uniform(0, WAIT))
            what = end(server)
            before = self._n_judgments()
            self._look()
            cut_off, busy = sum(c.unanswered for c in self.clients), sum(c.busy for c in self.clients)
            self.say(f"{what}: {before} judgments, {cut_off} cut off, {busy} answered 503")

    def _wait_for(self, wanted: int) -> None:
        """Until so many grades are acknowledged; patience begins anew with each of them."""
        while (n := self._n_acknowledged()) < wanted:
            until(lambda before=n: self._n_acknowledged() > before, f"a judgment after {n}")  # type: ignore[misc]

    def _n_acknowledged(self) -> int:
        return sum(len(client.acknowledged) for client in self.clients)

    def _moments(self, n: int) -> list[int]:
        """After how many judgments each kill comes."""
        expected = self.batch.n_expected
        return sorted(int(expected * self.rng.uniform(EARLIEST, LATEST)) for _ in range(n))

    def _kill(self, server: Served) -> str:
        server.kill_web_process(self.rng)
        self.figures.kills += 1
        return f"kill {self.figures.kills}"

    def _stop_database(self, _server: Served) -> str:
        cluster = Cluster(Path(connection.settings_dict["HOST"]))
        command = cluster.command
        connection.close()
        began = time.monotonic()
        cluster.stop(signal.SIGQUIT)
        self.postgres = cluster.start(command)
        self.figures.away += time.monotonic() - began
        self.figures.stops += 1
        return f"stop {self.figures.stops}"

    def _look(self) -> None:
        """What was acknowledged before the moment is there at the moment, and nothing beside what may be."""
        acknowledged = self._acknowledged()
        with one_moment():
            self.figures.broken += broken_invariants(self.batch, acknowledged)
        self.figures.looks += 1

    def _count(self) -> None:
        self._look()
        self.figures.judgments = self._n_judgments()
        for client in self.clients:
            self.figures.unanswered += client.unanswered
            self.figures.busy += client.busy
            self.figures.replayed += client.replayed
            self.figures.broken += client.faults
        self.figures.broken += at_the_end(self.batch, self.room, self._acknowledged())

    def _acknowledged(self) -> dict[str, int]:
        return {token: grade for client in self.clients for token, grade in list(client.acknowledged.items())}

    def _n_judgments(self) -> int:
        return Judgment.objects.filter(batch=self.batch).count()


def batch_with_gold(n_people: int, n_topics: int, n_pairs: int, **settings: Any) -> Batch:
    """An open batch as it is laid out: gold among its items, places reserved for people, no minimum time."""
    campaign = make_campaign(n_topics=n_topics, n_pairs=n_pairs, n_gold=GOLD, n_people=n_people)
    batch = campaign.draft(judgments_per_item=JUDGMENTS, minimum_seconds=0, **settings)
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    return Batch.objects.get(pk=batch.pk)


def room_of(batch: Batch) -> Counter[int]:
    """How many judgments each item wants. Slots made for one person as their coins fell are not among them."""
    return Counter(Slot.objects.filter(batch=batch, n__lt=FIRST_N).values_list("item", flat=True))


def at_the_end(batch: Batch, room: Counter[int], acknowledged: dict[str, int]) -> list[str]:
    """What else must hold once everybody has finished: nobody was killed for ten minutes, so no lease was lost."""
    judgments = Judgment.objects.filter(batch=batch)
    strangers = set(judgments.values_list("token", flat=True)) - set(acknowledged)
    leased = Slot.objects.filter(batch=batch, state=Slot.State.LEASED).count()
    left = Slot.objects.filter(batch=batch, state=Slot.State.OPEN, reserved_for=None).count()
    surplus = judgments.filter(surplus=True).count()
    return [
        *([] if room_of(batch) == room else ["an item wants more judgments than it did, or fewer"]),
        *(f"form {token}: stored, and acknowledged to nobody" for token in strangers),
        *([f"{leased} leases are left"] if leased else []),
        *([f"{left} open slots are left"] if left else []),
        *([f"{surplus} judgments are surplus"] if surplus else []),
    ]


@contextmanager
def one_moment() -> Iterator[None]:
    """What is read within is of one moment: on SQLite every transaction is, on PostgreSQL one that asks for it."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield
