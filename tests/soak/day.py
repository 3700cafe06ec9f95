"""A person's working day on the judging page: grades, and now and then what people do beside."""

import random
import re
import time
from collections import Counter
from dataclasses import dataclass

from annotation.models import Annotator, Assignment, Batch
from tests.journeys.clients import Client
from tests.live import Answer, Server

DEEDS = {"skip": 0.01, "later": 0.01, "undo": 0.03, "break": 0.005, "recent": 0.01, "reload": 0.01, "heartbeat": 0.1}
LEAST = 3  # grades of everybody, however slow the machine
BREAK = 10  # times as long as one card
SPREAD = 0.5  # of the time that a card takes, more or less
PARTS = re.compile(r'data-outcome="(\w+)"\s+data-token="[^"]*"\s+data-current="([^"]*)"\s+data-ahead="([^"]*)"')


@dataclass
class Day:
    """Seconds that a card takes, and when all stop, by `time.monotonic`."""

    think: float
    ends_at: float = float("inf")


class Person(Client):
    """Sends what the page's script sends, with the cards that the page holds; stops when the day ends.

    `deeds` counts what was done beside grading. `faults` has whatever was answered that should not be.
    """

    def __init__(self, server: Server, batch: Batch, annotator: Annotator, seed: int, *, day: Day) -> None:
        super().__init__(server, batch, annotator, seed)
        self.day, self.name = day, f"p{seed}"
        self.deeds: Counter[str] = Counter()
        self.card, self.waiting, self.text = "", list[str](), ""

    def begin(self) -> None:
        self._get()
        self._do("start")

    def work(self) -> None:
        while not self._is_over():
            if not self.card:
                if "That was the last one" in self.text:
                    return
                self._break()
                continue
            self._rest(self.rng.uniform(1 - SPREAD, 1 + SPREAD))
            self._beside()
            if self.card and not self._is_over():
                self._grade_card()
        self._release()

    def _is_over(self) -> bool:
        return time.monotonic() >= self.day.ends_at and len(self.acknowledged) >= LEAST

    def _rest(self, cards: float) -> None:
        time.sleep(max(0.0, min(cards * self.day.think, self.day.ends_at - time.monotonic())))

    def _grade_card(self) -> None:
        token, grade = self.card, self.rng.randrange(5)
        outcome = self._do("grade", token=token, grade=str(grade), active_ms="9000", wall_ms="12000")
        if outcome in {"saved", "replayed"}:
            self.acknowledged[token] = grade
            self.replayed += outcome == "replayed"

    def _beside(self) -> None:
        for deed, share in DEEDS.items():
            if self.rng.random() < share and self.card:
                self.deeds[deed] += 1
                getattr(self, f"_{deed}")()

    def _skip(self) -> None:
        reason = random.Random(self.card).choice(Assignment.SkipReason.values)
        self._do("skip", token=self.card, reason=reason)

    def _later(self) -> None:
        self._do("later", token=self.card)

    def _undo(self) -> None:
        """The last card comes back, once there is one; half of the time its grade is left as it was."""
        if not self.acknowledged:
            return
        self._do("undo", token=self.card)
        self._rest(1)
        if self.rng.random() < 0.5:
            self._do("keep")

    def _break(self) -> None:
        self._release()
        self._rest(BREAK)
        self.begin()

    def _recent(self) -> None:
        self._expect(self._send("GET", f"{self.page}recent"), 200)

    def _reload(self) -> None:
        self._expect(self._get(), 200)

    def _heartbeat(self) -> None:
        self._expect(self._post("heartbeat", token=self.card), 204)

    def _release(self) -> None:
        """The page is left: cards that it has not shown go back."""
        if self.waiting:
            self._expect(self._post("release", token=",".join(self.waiting), page=self.name), 204)
        self.card, self.waiting = "", []

    def _do(self, deed: str, **fields: str) -> str:
        """The outcome. The card on the screen and those that wait are the answer's."""
        answer = self._post(deed, **fields)
        self.text = answer.text
        parts = PARTS.search(answer.text) if answer.status == 200 else None
        if parts is None or parts[1] == "refused":
            self.faults.append(f"{deed}: {answer.status} {answer.text[:200]}")
        outcome, self.card, waiting = parts.groups() if parts else ("", "", "")
        self.waiting = waiting.split(",") if waiting else []
        return outcome

    def _page_headers(self) -> dict[str, str]:
        return {"X-Judge": ",".join((self.card, *self.waiting)), "X-Judge-Page": self.name}

    def _expect(self, answer: Answer, status: int) -> None:
        if answer.status != status:
            self.faults.append(f"{answer.status}: {answer.text[:200]}")
