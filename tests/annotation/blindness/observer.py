"""Everything that comes to a person who judges, by page or program, as numbers: bytes, headers, order, counters."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from typing import Any

import numpy as np
from django.http import HttpResponse
from django.test import Client
from numpy.typing import NDArray

from annotation.kernel.api_tokens import make_api_token
from annotation.models import Annotator, Batch, Planting
from tests.annotation.callers import send

TEMPLATE = re.compile(r'<template data-card="([^"]+)">(.*?)</template>', re.DOTALL)
CURRENT = re.compile(r'data-current="([^"]*)"')
TOPIC = re.compile(r'data-topic="([^"]*)"')
TITLE = re.compile(r'data-title="([^"]*)"')
NUMBER = re.compile(r"\d+")
TAG = re.compile(r"<[^>]*>")
SWITCH_AFTER = 2  # cards; as more wait behind the one in front, whoever goes on sees nearly all that came meanwhile


@dataclass(frozen=True)
class Seen:
    """One card as it came: whose, its topic and the title of its document, and all that was countable about it.

    `brought_in`: seconds of the answer that brought it, by the observer's clock.
    """

    person: int
    token: str
    topic: str
    title: str
    features: tuple[float, ...]
    brought_in: float = 0.0


@dataclass
class Observer:
    """One person's browser, which takes down each card that it is brought.

    `clock` is read before and after each request; without one, no time passes. `graded_in`: seconds of the answer to
    the grade of a card, by its token.
    """

    batch: Batch
    annotator: Annotator
    place: int
    clock: Callable[[], float] = float
    seen: list[Seen] = field(default_factory=list)
    graded_in: dict[str, float] = field(default_factory=dict)
    current: str = ""

    def __post_init__(self) -> None:
        assert self.annotator.user is not None
        self._client, self._path = Client(), f"/judge/{self.batch.token}/"
        self._client.force_login(self.annotator.user)
        self._held: list[str] = []
        self._seen_tokens: set[str] = set()
        self._in_topic: Counter[str] = Counter()
        self._last_topic = ""
        self._since_change = 0

    def begin(self) -> None:
        """Take up what is in hand, as a page does that is opened, or opened again."""
        self._held.clear()
        began = self.clock()
        answer = self._client.post(self._path + "start", headers={"X-Judge": "", "X-Judge-Ahead": "5"})
        self._take(answer, self.clock() - began)

    def grade(self, grade: int) -> None:
        """Hand in the card in front; the next one, if held, moves in."""
        fields = {"token": self.current, "grade": str(grade), "active_ms": "4000", "wall_ms": "5000"}
        self._held.remove(self.current)
        headers = {"X-Judge": ",".join(self._held), "X-Judge-Ahead": "5"}
        token, began = self.current, self.clock()
        answer = self._client.post(self._path + "grade", fields, headers=headers)
        self.graded_in[token] = self.clock() - began
        self._take(answer, self.graded_in[token])

    def _take(self, answer: object, seconds: float) -> None:
        assert isinstance(answer, HttpResponse)
        assert answer.status_code == 200, answer.content
        text = answer.content.decode()
        cards = [(token, card) for token, card in TEMPLATE.findall(text) if token != "state"]
        outside = TEMPLATE.sub("", text)
        for place, (token, card) in enumerate(cards):
            self._held.append(token)
            if token not in self._seen_tokens:
                self._note(token, card, outside, answer, place)
                self.seen[-1] = replace(self.seen[-1], brought_in=seconds)
        match = CURRENT.search(text)
        assert match
        self.current = match[1]

    def _note(self, token: str, card: str, outside: str, answer: HttpResponse, place: int) -> None:
        topic, title = TOPIC.findall(card)[0], TITLE.findall(card)[0]
        self._note_features(token, topic, title, card=card, outside=outside, answer=answer, place=place)

    def _note_features(
        self, token: str, topic: str, title: str, *, card: str, outside: str, answer: HttpResponse, place: int
    ) -> None:
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
        self._seen_tokens.add(token)
        self.seen.append(Seen(self.place, token, topic, title, tuple(map(float, features))))

    def _counters(self, outside: str) -> tuple[int, int, int]:
        """What the progress says, as far as it has numbers: how many, their sum, the first of them."""
        numbers = [int(number) for number in NUMBER.findall(TAG.sub(" ", outside))]
        return len(numbers), sum(numbers), numbers[0] if numbers else -1


class ProgramObserver(Observer):
    """One person's program, which takes down each card that the API brings it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        assert self.annotator.user is not None
        token = make_api_token(self.annotator.user, name="a program")
        self._client = Client(headers={"Authorization": f"Bearer {token}"})  # not held against the schema 2,000 times
        self._path = f"/api/v1/judging/{self.batch.token}/"

    def begin(self) -> None:
        self._answered("next", {})

    def grade(self, grade: int) -> None:
        token = self.current
        self._answered("grade", {"token": token, "grade": grade, "active_ms": 4000, "wall_ms": 5000})

    def _answered(self, deed: str, body: dict[str, object]) -> None:
        answer = send(self._client, "post", self._path + deed, {**body, "ahead": 5, "page": "program"})
        assert answer.status_code == 200, answer.content
        desk = answer.json()
        cards = desk.pop("cards")
        for place, card in enumerate(cards):
            if card["token"] not in self._seen_tokens:
                self._note_card(card, json.dumps(desk), answer, place)
        self.current = cards[0]["token"] if cards else ""

    def _note_card(self, card: dict[str, Any], outside: str, answer: HttpResponse, place: int) -> None:
        topic, title = card["topic"]["number"], card["document"]["title"]
        as_sent = json.dumps(card)
        self._note_features(card["token"], topic, title, card=as_sent, outside=outside, answer=answer, place=place)


def judged_in_turns(
    batch: Batch,
    chance: Random,
    *,
    clock: Callable[[], float] = float,
    observer_types: Sequence[type[Observer]] = (Observer,),
) -> list[list[Observer]]:
    """By type, everybody's browser or program, once the batch is judged to its end: a grade by each person in turn.

    Where there are several types, each person's first hands in `SWITCH_AFTER` cards, then their next goes on.
    """
    people = list(batch.participations.order_by("pk").select_related("annotator__user"))
    by_type = [
        [observer_type(batch, person.annotator, place, clock) for place, person in enumerate(people)]
        for observer_type in observer_types
    ]
    at_work = list(range(len(people)))
    for turn in count():
        observers = by_type[turn // SWITCH_AFTER % len(by_type)]
        if not turn or (len(by_type) > 1 and turn % SWITCH_AFTER == 0):
            for place in at_work:
                observers[place].begin()
        at_work = [place for place in at_work if observers[place].current]
        if not at_work:
            break
        for place in at_work:
            observers[place].grade(chance.randrange(5))
    return by_type


def truth_of(seen: Sequence[Seen], batch: Batch) -> NDArray[np.int_]:
    """1 where a card was gold, else 0; (n,)."""
    planted = Planting.objects.filter(item__batch=batch).select_related("item__topic", "item__document_version")
    gold = {(each.item.topic.number, each.item.document_version.title) for each in planted}  # type: ignore[union-attr]
    return np.array([(card.topic, card.title) in gold for card in seen], dtype=int)
