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
from annotation.outgoing.steps.allowed_addresses import OutgoingError, Target, addresses_of, target_of
from annotation.outgoing.steps.recipients import secret_of

SECONDS = 10.0  # for connecting to an address, and for each piece of an answer
ALL_SECONDS = 20.0  # for all of it, from before the name is looked up
MOST_READ = 1024  # bytes of an answer that are read, and thrown away


def post(delivery: Delivery) -> str:
    """What came back, in words. Raises `OutgoingError` for an answer that is none of 2xx, a host that may not be
    reached, and what the network refuses."""
    target = target_of(delivery.recipient.address)
    ends_at = time.monotonic() + ALL_SECONDS
    try:
        with _connected(target, addresses_of(target), ends_at) as connection:
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
def _connected(target: Target, addresses: list[str], ends_at: float) -> Iterator[http.client.HTTPConnection]:
    """To one of these addresses, under the host's name: TLS checks the name, and nothing is looked up again. No proxy
    is asked. The whole of it ends at that moment, however slowly an answer drips."""
    connection = http.client.HTTPConnection(target.host, target.port, timeout=SECONDS)
    connection.sock = _reached(addresses, target.port, ends_at)
    if target.is_https:
        connection.sock = _under_tls(connection.sock, target.host)
    watchdog = threading.Timer(max(0.0, ends_at - time.monotonic()), _cut, [connection.sock])
    watchdog.start()
    try:
        if isinstance(connection.sock, ssl.SSLSocket):
            connection.sock.do_handshake()
        yield connection
    finally:
        watchdog.cancel()
        connection.close()


def _reached(addresses: list[str], port: int, ends_at: float) -> socket.socket:
    """The first that takes a connection, asked in turn. Raises the last one's `OSError`, or that the time is over."""
    fault = OSError("The name leads nowhere.")
    for address in addresses:
        left = ends_at - time.monotonic()
        if left <= 0:
            raise TimeoutError("The time was over before a connection stood.")
        try:
            sock = socket.create_connection((address, port), timeout=min(SECONDS, left))
        except OSError as error:
            fault = error
        else:
            sock.settimeout(SECONDS)
            return sock
    raise fault


def _under_tls(plain: socket.socket, host: str) -> ssl.SSLSocket:
    """Before the handshake, which checks the certificate and its name."""
    context = ssl.create_default_context()
    return context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)


def _cut(sock: socket.socket) -> None:
    """Ends what waits for the other side. That of the plain socket: `SSLSocket.shutdown` would take TLS off first."""
    try:
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
    except OSError:
        return
