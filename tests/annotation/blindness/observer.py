"""Everything that comes to a person at the judging page, as numbers: bytes, headers, order, places, counters."""

import re
from collections import Counter
from dataclasses import dataclass, field

from django.http import HttpResponse
from django.test import Client

from annotation.models import Annotator, Batch

TEMPLATE = re.compile(r'<template data-card="([^"]+)">(.*?)</template>', re.DOTALL)
CURRENT = re.compile(r'data-current="([^"]*)"')
TOPIC = re.compile(r'data-topic="([^"]*)"')
TITLE = re.compile(r'data-title="([^"]*)"')
NUMBER = re.compile(r"\d+")
TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Seen:
    """One card as it came: whose, its topic and the title of its document, and all that was countable about it."""

    person: int
    topic: str
    title: str
    features: tuple[float, ...]


@dataclass
class Observer:
    """One person's browser, which takes down each card that it is brought."""

    batch: Batch
    annotator: Annotator
    place: int
    seen: list[Seen] = field(default_factory=list)
    current: str = ""

    def __post_init__(self) -> None:
        assert self.annotator.user is not None
        self._client, self._path = Client(), f"/judge/{self.batch.token}/"
        self._client.force_login(self.annotator.user)
        self._held: list[str] = []
        self._in_topic: Counter[str] = Counter()
        self._last_topic = ""
        self._since_change = 0

    def begin(self) -> None:
        self._take(self._client.post(self._path + "start", headers={"X-Judge": ""}))

    def grade(self, grade: int) -> None:
        """Hand in the card in front; the next one, if held, moves in."""
        fields = {"token": self.current, "grade": str(grade), "active_ms": "4000", "wall_ms": "5000"}
        self._held.remove(self.current)
        headers = {"X-Judge": ",".join(self._held)}
        self._take(self._client.post(self._path + "grade", fields, headers=headers))

    def _take(self, answer: object) -> None:
        assert isinstance(answer, HttpResponse)
        assert answer.status_code == 200, answer.content
        text = answer.content.decode()
        cards = [(token, card) for token, card in TEMPLATE.findall(text) if token != "state"]
        outside = TEMPLATE.sub("", text)
        for place, (token, card) in enumerate(cards):
            self._held.append(token)
            self._note(token, card, outside, answer, place)
        found = CURRENT.search(text)
        assert found
        self.current = found[1]

    def _note(self, token: str, card: str, outside: str, answer: HttpResponse, place: int) -> None:
        topic, title = TOPIC.findall(card)[0], TITLE.findall(card)[0]
        self._since_change = self._since_change + 1 if topic == self._last_topic else 0
        self._last_topic = topic
        headers = sorted(answer.headers.items())
        features = (
            len(self.seen),  # the how-many-eth card
            self._in_topic[topic],  # … of its topic
            self._since_change,  # … since the topic began or came back
            place,  # in the answer
            len(card.encode()) - 2 * len(title),
            len(TAG.sub("", card)),
            card.count("<"),
            card.count("<mark"),
            len(headers),
            sum(len(name) + len(value) for name, value in headers if name != "Set-Cookie"),
            len(outside),
            sum(map(ord, token)),
            *self._counters(outside),
        )
        self._in_topic[topic] += 1
        self.seen.append(Seen(self.place, topic, title, tuple(float(number) for number in features)))

    def _counters(self, outside: str) -> tuple[int, int, int]:
        """What the progress says, as far as it has numbers: how many, their sum, the first of them."""
        numbers = [int(number) for number in NUMBER.findall(TAG.sub(" ", outside))]
        return len(numbers), sum(numbers), numbers[0] if numbers else -1
