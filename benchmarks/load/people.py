"""Simulated people who judge over HTTP: a thread each, plain sockets, as little work of their own as can be."""

import random
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import urlencode

CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')
ANSWER = re.compile(rb'data-outcome="(\w+)"\s+data-token="([^"]*)"\s+data-current="([^"]*)"\s+data-ahead="([^"]*)"')
COOKIE = re.compile(rb"\r\nset-cookie: ([^=]+)=([^;\r]*)", re.IGNORECASE)
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
CLOSES = re.compile(rb"\r\nconnection: close", re.IGNORECASE)
AHEAD = 5  # cards that a page would hold behind the one on the screen
SPREAD = 0.5  # of the time that people think, more or less
PATIENCE = 60.0  # seconds for an answer


@dataclass
class Figures:
    """Seconds from sending each grade to its answer, and what was told to be saved: token → grade."""

    latency: list[float] = field(default_factory=list)
    acknowledged: dict[str, int] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    waited: int = 0  # grades after which no next card was at hand
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return len(self.latency) / self.seconds if self.seconds else 0.0

    def quantile(self, q: float) -> float:
        ordered = sorted(self.latency)
        return ordered[min(len(ordered) - 1, int(q * len(ordered)))] if ordered else float("nan")


class Wire:
    """One person's connection, opened anew where the server has closed it."""

    def __init__(self, port: int, session: str) -> None:
        self.port = port
        self.cookies = {b"touchstone_session": session.encode()}
        self.socket: socket.socket | None = None

    def send(self, method: str, path: str, *, body: bytes = b"", waiting: list[str] | None = None) -> tuple[int, bytes]:
        """Status and body; once more on a new connection where the old one was closed in between."""
        request = self._request(method, path, body, waiting)
        was_open = self.socket is not None
        try:
            return self._exchange(request)
        except ConnectionError:
            self.close()
            if not was_open:
                raise
            return self._exchange(request)

    def _request(self, method: str, path: str, body: bytes, waiting: list[str] | None) -> bytes:
        cookies = b"; ".join(b"=".join(pair) for pair in self.cookies.items())
        named = b"" if waiting is None else ",".join(waiting).encode()
        script = b"" if waiting is None else b"X-Judge: %s\r\nX-Judge-Ahead: %d\r\n" % (named, AHEAD)
        form = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n" % len(body) if body else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n".encode()
        return head + b"Cookie: " + cookies + b"\r\n" + script + form + b"\r\n" + body

    def _exchange(self, request: bytes) -> tuple[int, bytes]:
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(request)
        head, end, body = self._more(self.socket).partition(b"\r\n\r\n")
        while not end:
            head, end, body = (head + self._more(self.socket)).partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        while length and len(body) < int(length[1]):
            body += self._more(self.socket)
        for name, value in COOKIE.findall(head):
            self.cookies[name] = value
        if CLOSES.search(head):
            self.close()
        return int(head[9:12]), body

    @staticmethod
    def _more(wire: socket.socket) -> bytes:
        data = wire.recv(1 << 16)
        if not data:
            raise ConnectionResetError("the server closed the connection")
        return data

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
        self.socket = None


class Person:
    """Judges until the end: a grade, what is said to it, the next card."""

    def __init__(self, port: int, batch: str, session: str, seed: int, figures: Figures) -> None:
        self.wire, self.path, self.figures = Wire(port, session), f"/judge/{batch}/", figures
        self.rng = random.Random(seed)
        self.csrf = self.card = ""
        self.waiting: list[str] = []

    def begin(self) -> None:
        _, page = self.wire.send("GET", self.path)
        token = CSRF.search(page)
        assert token, page[:500]
        self.csrf = token[1].decode()
        self._deed("start")
        assert self.card, f"no card to begin with: {self.figures.errors}"

    def judge(self, *, think: float, until: float) -> None:
        while self.card:
            if think:
                time.sleep(self.rng.uniform(think * (1 - SPREAD), think * (1 + SPREAD)))
            if time.perf_counter() >= until:
                return
            self.grade()

    def grade(self) -> None:
        token, grade = self.card, self.rng.randrange(5)
        self.figures.waited += not self.waiting
        began = time.perf_counter()
        outcome = self._deed("grade", token=token, grade=grade, active_ms=3000, wall_ms=4000)
        self.figures.latency.append(time.perf_counter() - began)
        if outcome == "saved":
            self.figures.acknowledged[token] = grade

    def send(self, path: str, body: bytes) -> tuple[int, bytes]:
        return self.wire.send("POST", path, body=body, waiting=self.waiting)

    def _deed(self, deed: str, **fields: object) -> str:
        body = urlencode({"csrfmiddlewaretoken": self.csrf, **fields}).encode()
        status, text = self.send(self.path + deed, body)
        answer = ANSWER.search(text)
        if status != 200 or answer is None:
            self.figures.errors.append(f"{deed}: {status} {text[:200]!r}")
            self.card = ""
            return ""
        outcome, _, current, following = (each.decode() for each in answer.groups())
        if outcome == "refused":
            self.figures.errors.append(f"{deed}: refused")
        self.card, self.waiting = current, following.split(",") if following else []
        return outcome


def judge_together(
    port: int, batch: dict[str, object], *, think: float, seconds: float, kind: type[Person] = Person
) -> Figures:
    """All people of the batch at once, for so long. Who thinks begins at a moment of their own."""
    figures = Figures()
    sessions = batch["sessions"]
    assert isinstance(sessions, list)
    people = [kind(port, str(batch["token"]), session, n, figures) for n, session in enumerate(sessions)]
    with ThreadPoolExecutor(len(people)) as threads:
        for start in range(0, len(people), 4):
            list(threads.map(Person.begin, people[start : start + 4]))
        for person in people:
            person.grade()
        figures.latency.clear()  # the first cards only warmed the server up
        figures.waited = 0
        lasts = max(seconds, 2 * think) if think else seconds
        began = time.perf_counter()
        for ending in [threads.submit(person.judge, think=think, until=began + lasts) for person in people]:
            figures.errors += [repr(ending.exception())] if ending.exception() else []
        figures.seconds = time.perf_counter() - began if not think else lasts
    for person in people:
        person.wire.close()
    return figures
