"""A small TCP proxy before the server, which loses what it is told to lose: the request, the answer, or half of it."""

import contextlib
import socket
import struct
import threading
from collections import Counter
from enum import StrEnum
from urllib.parse import urlsplit

END_OF_HEAD = b"\r\n\r\n"
PATIENCE = 30.0  # seconds


class Fault(StrEnum):
    """What becomes of the next deed."""

    UNREACHED = "unreached"  # the connection closes before the server has heard anything
    UNHEARD = "unheard"  # the server has done it, and nobody hears so
    HALF = "half"  # the answer breaks off in the middle
    RESET = "reset"  # as unheard, by a reset connection
    SLOW = "slow"  # it all arrives, once it is let go


class Proxy:
    """Listens on loopback and hands everything on; a POST whose path ends in `deed` meets the fault put in its way."""

    def __init__(self, server: str, deed: str = "/grade") -> None:
        at = urlsplit(server)
        self._server = (at.hostname or "", at.port or 0)
        self._deed = deed.encode()
        self._next: Fault | None = None
        self._has_come, self._may_go = threading.Event(), threading.Event()
        self.met: Counter[Fault] = Counter()
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def put(self, fault: Fault) -> None:
        """In the way of the next deed, once."""
        self._has_come.clear()
        self._may_go.clear()
        self._next = fault

    def wait_for_answer(self) -> None:
        """Until the server has done what is slow, and nobody has heard so."""
        assert self._has_come.wait(PATIENCE), "no answer came to be kept back"

    def let_go(self) -> None:
        """What is slow arrives now."""
        self._may_go.set()

    def stop(self) -> None:
        self._may_go.set()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed: the end
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        """Requests of one connection, each over a connection of its own to the server."""
        client.settimeout(PATIENCE)
        with client, contextlib.suppress(OSError):
            while request := _message(client):
                fault = self._take(request)
                if fault is Fault.UNREACHED:
                    return
                answer = self._ask(request)
                if fault is Fault.RESET:  # the other side is told so, instead of a quiet end
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                if fault in {Fault.UNHEARD, Fault.RESET}:
                    return
                if fault is Fault.SLOW:
                    self._has_come.set()
                    self._may_go.wait(PATIENCE)
                client.sendall(answer[: len(answer) // 2] if fault is Fault.HALF else answer)
                if fault is Fault.HALF or not answer:
                    return

    def _take(self, request: bytes) -> Fault | None:
        method, path = request.split(b" ", 2)[:2]
        if method != b"POST" or not path.endswith(self._deed):
            return None
        fault, self._next = self._next, None
        if fault:
            self.met[fault] += 1
        return fault

    def _ask(self, request: bytes) -> bytes:
        with contextlib.suppress(OSError), socket.create_connection(self._server, timeout=PATIENCE) as server:
            server.sendall(request)
            return _message(server)
        return b""


def _message(source: socket.socket) -> bytes:
    """One request or answer, head and body; empty when the other side has closed."""
    message = b""
    while END_OF_HEAD not in message:
        part = source.recv(65536)
        if not part:
            return b""
        message += part
    head, _, body = message.partition(END_OF_HEAD)
    while len(body) < _length(head):
        part = source.recv(65536)
        if not part:
            break
        body += part
    return head + END_OF_HEAD + body


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0
