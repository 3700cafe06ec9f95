"""A receiver of webhooks on the loopback, that stops with its test: what it got, and what it is to answer."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer


@dataclass
class Receiver:
    """`answers`: the statuses of the next answers; then 204. `got`: headers and body of each request."""

    port: int = 0
    answers: list[int] = field(default_factory=list)
    got: list[tuple[dict[str, str], str]] = field(default_factory=list)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"http://{self.host}/hook?of=bees"


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            receiver.got.append((dict(self.headers), body))
            self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
            self.send_header("Location", "http://169.254.169.254/")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answering)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
