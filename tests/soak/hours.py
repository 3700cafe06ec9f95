"""People judge for hours, with breaks, skips and undo, on two pools of web processes and a worker, as it is deployed.

What is looked for is memory that grows: noted every so often is the share of each process. At the end all rows are
looked at, as after kills.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.db import connection
from django.db.models import F
from django.urls import reverse

from annotation.judging.steps.stock import FIRST_N
from annotation.kernel.blocks import recount_blocks
from annotation.models import Annotator, Batch, Item, Judgment, Role, Slot
from tests.factories import make_judgments, make_member, make_user
from tests.journeys.invariants import broken_invariants
from tests.live import sign_in
from tests.soak.day import Day, Person
from tests.soak.judging import JUDGMENTS, Figures, batch_with_gold, one_moment, room_of
from tests.soak.memory import WARM_UP, Sample, all_below, begin_and_end, by_pool, faults, pss, pss_of_database
from tests.soak.processes import Worker
from tests.soak.served import Served

WEB_PROCESSES = 2  # of each pool
PAIRS = 25  # of a topic
SPARE = 1.15  # items that are laid out for one that is wanted: people skip
SESSIONS = {"session_minutes": 20, "break_minutes": 1}  # all rest at once and come back at once
SAMPLES, EVERY = 72, 60  # of memory; seconds between two at most
PATIENCE = 300  # seconds for an answer: others may be at work on the machine
LOOKS = 200  # of an admin at a page at most, once all is warm
OFTEN = 0.5  # seconds between two looks, and between two samples, at least
MOST_GROWTH = 0.05
PORTION = 5000  # rows written at once
STEP = 13  # from one who judges a pair to the next
WITH_ITEM = [f"item__{each}" for each in ("batch", "collection__guideline", "document", "scale", "topic")]
PAGES = ("", "quality/", "quality/annotators", "quality/agreement", "quality/pairs", "quality/contested/", "batches/",
         "documents/", "batches/{token}/health", "quality/annotators/{person}/")  # fmt: skip


@dataclass
class HoursFigures(Figures):
    deeds: Counter[str] = field(default_factory=Counter)
    pages: Counter[int] = field(default_factory=Counter)
    samples: list[Sample] = field(default_factory=list)


@dataclass
class HoursSoak:
    """`n_people` together make `pace` judgments a second for so many hours; what they do follows from `seed`.

    `begun`: so many judgments are there before, as where a campaign is under way.
    """

    var: Path
    n_people: int
    hours: float
    pace: float
    seed: int
    say: Callable[[str], None]
    most_growth: float = MOST_GROWTH
    begun: int = 0

    def run(self) -> HoursFigures:
        self.figures = HoursFigures()
        self.seconds = 3600 * self.hours
        n_topics = -(-int(SPARE * self.seconds * self.pace + self.begun) // (PAIRS * JUDGMENTS)) + 1
        self.batch = batch_with_gold(self.n_people, n_topics, PAIRS, **SESSIONS)
        self.before = judged_before(self.batch, self.begun, self.seed)
        self.room = room_of(self.batch)
        lead = make_member(self.batch.collection, make_user("lead"), Role.ADMIN)
        self.cookie = {"Cookie": f"touchstone_session={sign_in(lead)}"}
        self.judging, self.others = (
            Served(self.var / name, WEB_PROCESSES, "--without-worker") for name in ("judging", "others")
        )
        self.judging.patience = self.others.patience = PATIENCE
        self.worker = Worker(self.var / "worker")
        try:
            self.judging.start()
            self.others.start()
            self._work()
        finally:
            self.worker.stop()
            self.others.stop()
            self.judging.stop()
        self._count()
        return self.figures

    def _work(self) -> None:
        annotators = Annotator.objects.filter(participations__batch=self.batch).order_by("pk")
        day = Day(think=self.n_people / self.pace)
        self.people = [
            Person(self.judging, self.batch, each, self.seed + n, day=day) for n, each in enumerate(annotators)
        ]
        with ThreadPoolExecutor(len(self.people)) as threads:
            list(threads.map(Person.begin, self.people))
            self.began = time.monotonic()
            day.ends_at = self.began + self.seconds
            self._go_on(threads, day)
        self.figures.seconds = time.monotonic() - self.began

    def _go_on(self, threads: ThreadPoolExecutor, day: Day) -> None:
        with self._watching():
            works = [threads.submit(person.work) for person in self.people]
            try:
                for each in works:
                    each.result()
            except BaseException:  # told to end, too
                day.ends_at = 0
                raise

    @contextmanager
    def _watching(self) -> Iterator[None]:
        """An admin looks at pages and memory is noted while the block lasts."""
        ended = threading.Event()

        def repeat(deed: Callable[[int], None], every: Callable[[], float]) -> None:
            n = 0
            while not ended.wait(every()):
                deed(n)
                n += 1
            connection.close()

        threads = [
            threading.Thread(target=repeat, args=(self._look_at_page, self._until_the_next_look)),
            threading.Thread(target=repeat, args=(self._note_memory, self._until_the_next_sample)),
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            ended.set()
            for thread in threads:
                thread.join()

    def _until_the_next_look(self) -> float:
        """While it warms up, as often as may be: either process loads then what it loads once."""
        is_warm = time.monotonic() > self.began + WARM_UP * self.seconds
        return max(OFTEN, self.seconds / LOOKS) if is_warm else OFTEN

    def _until_the_next_sample(self) -> float:
        return max(OFTEN, min(EVERY, self.seconds / SAMPLES))

    def _look_at_page(self, n: int) -> None:
        person = f"A-{1 + n % self.n_people}"
        page = PAGES[n % len(PAGES)].format(token=self.batch.token, person=person)
        path = reverse("collection", args=[self.batch.collection.slug]) + page
        try:
            answer = self.others.request("GET", path, headers=self.cookie)
        except OSError as fault:
            self.figures.broken.append(f"{page}: {fault!r}")
            return
        self.figures.pages[answer.status] += 1
        if answer.status not in {200, 202}:  # 202: the worker has been asked
            self.figures.broken.append(f"{page}: {answer.status}")

    def _note_memory(self, _n: int) -> None:
        sample = {
            f"{pool}, {'master' if pid == master else f'process {pid}'}": pss(pid)
            for pool, server in (("judging", self.judging), ("others", self.others))
            for master in all_below(server.pid)[:1]
            for pid in all_below(server.pid)
        }
        worker = self.worker.process.pid
        jobs = all_below(worker)
        if not jobs:  # a child shares its pages
            sample["worker"] = pss(worker)
        apart = {"of jobs": sum(map(pss, jobs)), "PostgreSQL": pss_of_database()}
        self.figures.samples.append(sample)
        numbers = ", ".join(f"{name} {mb:.1f}" for name, mb in (sample | apart).items())
        self.say(f"{sum(len(each.acknowledged) for each in self.people)} judgments; MB: {numbers}")

    def _count(self) -> None:
        acknowledged = self.before | {
            token: grade for each in self.people for token, grade in each.acknowledged.items()
        }
        with one_moment():
            self.figures.broken += broken_invariants(self.batch, acknowledged)
        self.figures.looks += 1
        self.figures.broken += left_over(self.batch, self.room, acknowledged)
        self.figures.judgments = len(acknowledged) - len(self.before)
        for person in self.people:
            self.figures.unanswered += person.unanswered
            self.figures.busy += person.busy
            self.figures.replayed += person.replayed
            self.figures.deeds += person.deeds
            self.figures.broken += person.faults
        for samples in (self.figures.samples, [by_pool(each) for each in self.figures.samples]):
            begin, end = begin_and_end(samples)
            for name, mb in end.items():
                self.say(f"{name}: {begin.get(name, 0):.1f} → {mb:.1f} MB")
        self.figures.broken += faults(self.figures.samples, most=self.most_growth)


def judged_before(batch: Batch, n: int, seed: int) -> dict[str, int]:
    """So many judgments of the first pairs, by all people in turn: form token → grade."""
    rng = random.Random(seed)
    people = list(Annotator.objects.filter(participations__batch=batch).order_by("pk"))
    free = Slot.objects.filter(batch=batch, state=Slot.State.OPEN, reserved_for=None, n__lt=FIRST_N)
    slots = list(free.select_related(*WITH_ITEM).order_by("block", "item", "n")[:n])
    tokens: dict[str, int] = {}
    for first in range(0, n, PORTION):
        portion = slots[first : first + PORTION]
        who = [people[(slot.item_id + STEP * slot.n) % len(people)] for slot in portion]
        grades = [(slot.item, person, rng.randrange(5)) for slot, person in zip(portion, who, strict=True)]
        tokens |= {each.token: each.grade for each in make_judgments(grades, slots=portion)}
        Slot.objects.filter(pk__in=[slot.pk for slot in portion]).update(state=Slot.State.JUDGED)
        for item, n_judged in Counter(slot.item_id for slot in portion).items():
            Item.objects.filter(pk=item).update(n_judged=F("n_judged") + n_judged)
    recount_blocks(batch)
    return tokens


def left_over(batch: Batch, room: Counter[int], acknowledged: dict[str, int]) -> list[str]:
    """What else must hold when people stop in the middle, having given their cards back."""
    judgments = Judgment.objects.filter(batch=batch)
    strangers = set(judgments.values_list("token", flat=True)) - set(acknowledged)
    surplus = judgments.filter(surplus=True).count()
    return [
        *([] if room_of(batch) == room else ["an item wants more judgments than it did, or fewer"]),
        *(f"form {token}: stored, and acknowledged to nobody" for token in strangers),
        *([f"{surplus} judgments are surplus"] if surplus else []),
    ]
