"""Where messages may go: what the operator has named, and nothing else."""

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

from annotation.models import Recipient
from annotation.outgoing.read import kinds_on

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
PORTS = {"https": 443, "http": 80}
_PRINTED = re.compile(r"[\x21-\x7e]+\Z")
_MAIL = re.compile(r"[A-Za-z0-9._+-]{1,64}@([A-Za-z0-9.-]{1,255})\Z")
# All that is given out of IPv6. Outside of it are, among others, other ways to write IPv4: `::/96`, SIIT, NAT64.
_GLOBAL = ipaddress.ip_network("2000::/3")
# Written as global ones, they lead to addresses of IPv4, private ones among them (6to4 and its relays, Teredo), or are
# examples (RFC 9637).
_ODD = tuple(ipaddress.ip_network(text) for text in ("2002::/16", "2001::/32", "3fff::/20", "192.88.99.0/24"))


class OutgoingError(Exception):
    """Where nothing may go, in words."""


@dataclass(frozen=True)
class Target:
    """`may_be_private`: the operator has named the host as one of the own network."""

    is_https: bool
    host: str
    port: int
    path: str
    may_be_private: bool


def check_recipient(kind: str, address: str) -> None:
    """Raises `OutgoingError` for what the settings do not allow."""
    if kind not in kinds_on():
        raise OutgoingError("Whoever runs this installation has not switched this on.")
    if kind == Recipient.Kind.WEBHOOK:
        target_of(address)
    else:
        _check_mail(address)


def target_of(address: str) -> Target:
    """Raises `OutgoingError` for what is no address of an allowed host."""
    try:
        parts = urlsplit(address)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise OutgoingError("This is no address.") from error
    host = (parts.hostname or "").lower()
    if not _PRINTED.match(address) or parts.scheme not in PORTS or not host or parts.fragment:
        raise OutgoingError("An address begins with https://, and has no blanks and no #.")
    if parts.username is not None or parts.password is not None:
        raise OutgoingError("An address has no name or password in it: messages are signed.")
    is_private = _names(settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS, host, port, parts.scheme)
    if not is_private and not _names(settings.TOUCHSTONE_WEBHOOK_HOSTS, host, port, parts.scheme):
        raise OutgoingError(f"Whoever runs this installation has not allowed {host}, port {port}.")
    if parts.scheme == "http" and not is_private:
        raise OutgoingError("Outside of the own network an address begins with https://.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme == "https", host, port, path, is_private)


def addresses_of(target: Target) -> list[str]:
    """Where the host is, asked now. Raises `OutgoingError` where one of its addresses is none of the public network,
    unless the operator has named it as private, and `OSError` where the name is not found."""
    answers = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(answer[4][0]) for answer in answers))
    for text in addresses:
        if not target.may_be_private and not is_public(ipaddress.ip_address(text.partition("%")[0])):
            raise OutgoingError(f"{target.host} is at {text}, which is not an address of the public network.")
    return addresses


def is_public(address: IPAddress) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address not in _GLOBAL:
            return False
    return address.is_global and not address.is_multicast and not any(address in odd for odd in _ODD)


def _names(hosts: list[str], host: str, port: int, scheme: str) -> bool:
    """Whether a list has the host, with this port or with the usual one of the scheme."""
    name = f"[{host}]" if ":" in host else host
    usual = name if port == PORTS[scheme] else ""
    return any(each.strip().lower() in {f"{name}:{port}", usual} for each in hosts if each.strip())


def _check_mail(address: str) -> None:
    match = _MAIL.match(address)
    if match is None:
        raise OutgoingError("This is not a mail address.")
    domain = match[1].lower()
    if domain not in {each.strip().lower() for each in settings.TOUCHSTONE_MAIL_DOMAINS}:
        raise OutgoingError(f"Whoever runs this installation has not allowed mail to {domain}.")
