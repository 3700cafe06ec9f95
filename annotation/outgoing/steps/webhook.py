"""A message to a webhook: to the very address that was checked, without redirects, within a time."""

import hashlib
import hmac
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from annotation.models import Delivery
from annotation.outgoing.steps.allowed import OutgoingError, Target, addresses_of, target_of
from annotation.outgoing.steps.recipients import secret_of

SECONDS = 10.0  # for connecting, and for each answer to come; twice as many for all of it
MOST_READ = 1024  # bytes of an answer that are read, and thrown away


def post(delivery: Delivery) -> str:
    """What came back, in words. Raises `OutgoingError` for an answer that is none of 2xx, a host that may not be
    reached, and what the network refuses."""
    target = target_of(delivery.recipient.address)
    try:
        address = addresses_of(target)[0]
        with _connected(target, address) as connection:
            connection.request("POST", target.path, body=delivery.body.encode(), headers=headers_of(delivery))
            answer = connection.getresponse()
            answer.read(MOST_READ)
    except (OSError, http.client.HTTPException) as error:
        raise OutgoingError(f"{type(error).__name__}: {error}"[:200]) from error
    if 300 <= answer.status < 400:
        raise OutgoingError(f"Answered {answer.status}: a redirect, which is not followed.")
    if not 200 <= answer.status < 300:
        raise OutgoingError(f"Answered {answer.status}.")
    return f"Answered {answer.status}."


def headers_of(delivery: Delivery) -> dict[str, str]:
    """With the signature of timestamp and body by the recipient's secret."""
    timestamp = str(int(time.time()))
    return {
        "Content-Type": "application/json",
        "User-Agent": "Touchstone",
        "Connection": "close",
        "Touchstone-Delivery": delivery.token,
        "Touchstone-Timestamp": timestamp,
        "Touchstone-Signature": f"sha256={signature(secret_of(delivery.recipient), timestamp, delivery.body)}",
    }


def signature(secret: str, timestamp: str, body: str) -> str:
    """HMAC-SHA256 of `timestamp.body`, in hex."""
    return hmac.new(secret.encode(), f"{timestamp}.{body}".encode(), hashlib.sha256).hexdigest()


@contextmanager
def _connected(target: Target, address: str) -> Iterator[http.client.HTTPConnection]:
    """To this address, under the host's name: TLS checks the name, and nothing is looked up again. No proxy is asked.
    The whole of it ends after a time, however slowly an answer drips."""
    connection = http.client.HTTPConnection(target.host, target.port, timeout=SECONDS)
    connection.sock = socket.create_connection((address, target.port), timeout=SECONDS)
    if target.is_https:
        connection.sock = _under_tls(connection.sock, target.host)
    watchdog = threading.Timer(2 * SECONDS, _cut, [connection.sock])
    watchdog.start()
    try:
        if isinstance(connection.sock, ssl.SSLSocket):
            connection.sock.do_handshake()
        yield connection
    finally:
        watchdog.cancel()
        connection.close()


def _under_tls(plain: socket.socket, host: str) -> ssl.SSLSocket:
    """Before the handshake, which checks the certificate and its name."""
    context = ssl.create_default_context()
    return context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)


def _cut(sock: socket.socket) -> None:
    """Ends what waits for the other side."""
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
