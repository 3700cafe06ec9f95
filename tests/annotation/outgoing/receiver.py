"""A receiver of webhooks on the loopback, that stops with its test: what it got, and what it is to answer."""

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


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
def receiving(certificate: Path | None = None) -> Iterator[Receiver]:
    """Under TLS where a certificate (with its key) is given."""
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
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def dripping() -> Iterator[int]:
    """The port of a server whose answer comes byte by byte, for five seconds."""
    stop = threading.Event()

    def drip(server: socket.socket) -> None:
        with suppress(OSError):
            taken, _ = server.accept()
            with taken:
                taken.sendall(b"HTTP/1.1 2")
                for _ in range(100):
                    if stop.wait(0.05):
                        break
                    taken.sendall(b"x")

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=drip, args=[server], daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            stop.set()
            thread.join()


def make_certificate(folder: Path, name: str) -> Path:
    """A file with a certificate of this name that vouches for itself, and its key."""
    key, certificate, both = (folder / each for each in ("key.pem", "certificate.pem", "both.pem"))
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    names = ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    command = ["openssl", "req", "-x509", "-days", "2", *curve, *names, *files]
    subprocess.run(command, check=True, capture_output=True)
    both.write_text(key.read_text() + certificate.read_text())
    return both
